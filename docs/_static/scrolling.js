// What is wider than its place scrolls by itself: so it can be reached by the keyboard, and scrolled with it.
"use strict";

const reachable = () =>
  document.querySelectorAll("pre, .table-wrapper").forEach((one) => {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  });

addEventListener("load", reachable);
addEventListener("resize", reachable);
