/** The page of a study to print: its button opens the browser's own dialog. */

document.getElementById("print")?.addEventListener("click", () => window.print());
