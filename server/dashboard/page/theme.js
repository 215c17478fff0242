// Runs before the page is drawn: the theme that the user chose on this machine, else the system's.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
