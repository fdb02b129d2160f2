// Colours as chosen: read before the first paint, so that nothing flashes.
(function () {
  "use strict";
  var KEY = "seven-marks:theme";
  var root = document.documentElement;
  root.classList.add("js");

  function stored() {
    try { return localStorage.getItem(KEY) || ""; } catch (error) { return ""; }
  }

  function show(choice) {
    if (choice) root.setAttribute("data-theme", choice);
    else root.removeAttribute("data-theme");
    document.querySelectorAll("[data-theme-choice]").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-theme-choice") === choice));
    });
  }

  show(stored());
  document.addEventListener("DOMContentLoaded", function () {
    show(stored());
    var tab = document.querySelector(".tabs [aria-current]");
    var tabs = tab && tab.closest(".tabs");
    if (tabs) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  });
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-theme-choice]");
    if (!button) return;
    var choice = button.getAttribute("data-theme-choice");
    try {
      if (choice) localStorage.setItem(KEY, choice);
      else localStorage.removeItem(KEY);
    } catch (error) { /* private windows: the choice holds for this page */ }
    show(choice);
  });
})();
