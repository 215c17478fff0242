// Runs before the page is drawn: the theme that the user chose on this machine, else the system's, as data-theme of the
// document, where the colours are. `tuneTheme` is the page's access to it.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice = "system";
  // A browser may refuse to keep anything.
  try {
    choice = localStorage.getItem("theme") ?? choice;
  } catch {}
  if (choice !== "light" && choice !== "dark") choice = "system";
  const apply = () => {
    const dark = choice === "dark" || (choice === "system" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    globalThis.tuneTheme.onchange?.();
  };
  globalThis.tuneTheme = {
    // Called after each change of the colours.
    onchange: null,
    // "system", "light" or "dark".
    get choice() {
      return choice;
    },
    set choice(value) {
      choice = value;
      try {
        localStorage.setItem("theme", value);
      } catch {}
      apply();
    },
  };
  system.addEventListener("change", apply);
  apply();
})();
