// Icons as paths on a square of 24, drawn in the colour of the text beside them.

const PATHS = {
  look: "M5 3l6 16 2.5-6.5L20 10z",
  gas: "M7 18h10a4 4 0 0 0 .6-7.95A6 6 0 0 0 6.2 9.6 4.3 4.3 0 0 0 7 18z",
  wall: "M3 6h18v12H3zM3 12h18M9 6v6M15 12v6",
  goal: "M6 21V4M6 4h12l-3 4 3 4H6",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M19 8v6M16 11h6",
  erase: "M9 20h11M4.5 14.5l8.6-9a2 2 0 0 1 2.9 0l3.5 3.5a2 2 0 0 1 0 2.9L12 20H9z",
  line: "M6.5 17.5l11-11M5 17a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM19 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  area: "M5 8l8-4 7 7-4 9H7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 4v16M17 4v16",
  step: "M5 4l10 8-10 8zM19 4v16",
  reset: "M19 4l-10 8 10 8zM5 4v16",
  panel: "M4 5h16v14H4zM14 5v14",
};
const SVG = "http://www.w3.org/2000/svg";

/** An icon; it says nothing to a screen reader. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}
