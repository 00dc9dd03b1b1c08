// Light, dark or system theme. Loaded in the head and not as a module, so that the chosen theme is
// set before the first paint.
(() => {
  const KEY = "theme";
  const NEXT = { system: "light", light: "dark", dark: "system" };
  const root = document.documentElement;
  root.dataset.script = "on"; // what needs scripts is hidden without them

  /** @returns {"system" | "light" | "dark"} */
  function stored() {
    try {
      const value = localStorage.getItem(KEY);
      return value === "light" || value === "dark" ? value : "system";
    } catch {
      return "system"; // storage may be blocked
    }
  }

  /** @param {"system" | "light" | "dark"} theme */
  function show(theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = /** @type {HTMLElement | null} */ (document.querySelector(".theme-switch"));
    const words = button?.dataset[theme];
    if (!button || !words) return;
    button.setAttribute("aria-label", words);
    button.setAttribute("title", words);
  }

  /** @param {"system" | "light" | "dark"} theme */
  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // the choice then lasts as long as the page
    }
  }

  let theme = stored();
  show(theme);
  document.addEventListener("DOMContentLoaded", () => {
    show(theme);
    document.querySelector(".theme-switch")?.addEventListener("click", () => {
      theme = /** @type {"system" | "light" | "dark"} */ (NEXT[theme]);
      keep(theme);
      show(theme);
    });
  });
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    theme = stored();
    show(theme);
  });
})();
