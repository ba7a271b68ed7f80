/** Emblems of dealers. They contain no text, because a machine may have no fonts. */
const emblems = {
  road: `<path d="M176 400 L236 120 H276 L336 400 Z" fill="#f4f4f2"/>
<path d="M256 140 V190 M256 222 V286 M256 322 V392" stroke="#1f3a5f" stroke-width="14"/>
<path d="M96 214 Q256 120 416 214" fill="none" stroke="#e8b23a" stroke-width="18"/>`,
  sun: `<circle cx="256" cy="228" r="104" fill="#f5f1e8"/>
<path d="M84 330 Q170 282 256 330 T428 330 V352 Q342 304 256 352 T84 352 Z" fill="#f5f1e8"/>
<path d="M112 384 Q184 346 256 384 T400 384" fill="none" stroke="#f5f1e8" stroke-width="14"/>`,
  mountains: `<path d="M72 372 L204 152 L276 270 L324 202 L440 372 Z" fill="#f2f5f3"/>
<path d="M204 152 L240 211 L212 236 L190 214 L166 216 Z M324 202 L352 243 L326 254 L306 228 Z" fill="#7fb09a"/>
<path d="M72 396 H440" stroke="#f2f5f3" stroke-width="14"/>`,
} as const;

/** Name of an emblem. */
export type Emblem = keyof typeof emblems;

const grounds: Readonly<Record<Emblem, readonly [string, string]>> = {
  road: ['#2b507f', '#162a45'],
  sun: ['#c8442f', '#93261c'],
  mountains: ['#33705a', '#173d31'],
};

/** Returns the logo of a dealer as SVG. */
export function drawLogo(emblem: Emblem): string {
  const [light, dark] = grounds[emblem];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">
<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>
<rect width="512" height="512" fill="url(#ground)"/>
<circle cx="256" cy="256" r="226" fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="10"/>
${emblems[emblem]}
</svg>`;
}
