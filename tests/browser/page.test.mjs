// The page, driven in Chromium against a server that a real worker has filled.
import "./behaviour.mjs";
import "./graph.mjs";
import "./log_axis.mjs";
import "./objective.mjs";
import "./views.mjs";
