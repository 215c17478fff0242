// The page, driven in Chromium against a server that a real worker has filled.
import {after, before} from "node:test";

import {leave, prepare} from "./fixture.mjs";
import "./behaviour.mjs";
import "./views.mjs";

before(prepare);
after(leave);
