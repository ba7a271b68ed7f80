import { type CarShape, type CarShapeName, carShapes } from './carShapes.ts';

/** A picture of a car. Equal values give equal pictures. */
export interface CarPicture {
  readonly shape: CarShapeName;
  readonly paint: CarPaint;
  /** Length of the car compared with the largest one, at most 1. */
  readonly scale: number;
  readonly scene: 'studio' | 'evening';
}

/** Paints by the value of the attribute `exteriorColor`. */
export const carPaints = {
  beige: '#cdbd97',
  black: '#22252b',
  blue: '#2f5f98',
  brown: '#6b4226',
  gold: '#b0883c',
  green: '#3c6b47',
  orange: '#d9692a',
  red: '#a82a2e',
  silver: '#a9b2ba',
  turquoise: '#4f9da0',
  white: '#eceae2',
  yellow: '#e0b638',
} as const;

/** Value of the attribute `exteriorColor` that a car of the demonstration can have. */
export type CarPaint = keyof typeof carPaints;

/** Pixels of a picture. */
export const pictureSize = { width: 960, height: 600 } as const;
/** Units of the drawing. */
const canvas = { width: 1280, height: 800 } as const;

const ground = 632;
/** Pixels that the largest car is long. */
const longest = 1140;
const tyreRadius = 62;

/** Returns a picture of a car from its side as SVG. */
export function drawCar({ shape, paint, scale, scene }: CarPicture): string {
  const { width, height } = canvas;
  const zoom = (longest / 1000) * scale;
  const place = `translate(${(width - 1000 * zoom) / 2} ${ground - 300 * zoom}) scale(${zoom})`;
  // The car of the evening faces the other way.
  const turned = scene === 'evening' ? ` transform="translate(${width} 0) scale(-1 1)"` : '';
  const car = carOf(carShapes[shape], carPaints[paint]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${pictureSize.width}" height="${pictureSize.height}">
<defs>${definitions}</defs>
${scene === 'studio' ? studio : evening}
<g${turned}>
<ellipse cx="640" cy="${ground + 2}" rx="${505 * zoom}" ry="16" fill="#000" opacity=".55" filter="url(#soft)"/>
<g mask="url(#floor)" opacity=".35"><g transform="translate(0 ${2 * ground}) scale(1 -1)"><g transform="${place}">${car}</g></g></g>
<g transform="${place}">${car}</g>
</g>
</svg>`;
}

const definitions = `
<filter id="soft" x="-20%" y="-200%" width="140%" height="500%"><feGaussianBlur stdDeviation="12"/></filter>
<linearGradient id="gloss" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset=".4" stop-color="#fff" stop-opacity=".08"/>
<stop offset=".56" stop-color="#fff" stop-opacity=".22"/><stop offset=".62" stop-color="#000" stop-opacity=".04"/>
<stop offset="1" stop-color="#000" stop-opacity=".42"/></linearGradient>
<linearGradient id="glass" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#8fa3b1"/><stop offset=".45" stop-color="#39464f"/><stop offset="1" stop-color="#1a2127"/></linearGradient>
<linearGradient id="chrome" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#fdfdfd"/><stop offset=".45" stop-color="#9aa3a9"/><stop offset=".55" stop-color="#5d666c"/><stop offset="1" stop-color="#d9dee1"/></linearGradient>
<radialGradient id="rim" cx=".42" cy=".36" r=".7"><stop offset="0" stop-color="#fbfbfb"/><stop offset="1" stop-color="#7d868c"/></radialGradient>
<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#d5dade"/><stop offset="1" stop-color="#f3f4f4"/></linearGradient>
<linearGradient id="tiles" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c3c8cb"/><stop offset="1" stop-color="#8f979c"/></linearGradient>
<radialGradient id="lamp" cx=".5" cy=".5" r=".5"><stop offset="0" stop-color="#fff" stop-opacity=".95"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#2c3e63"/><stop offset=".45" stop-color="#9c6f86"/><stop offset=".75" stop-color="#f0a878"/><stop offset="1" stop-color="#fbd9a4"/></linearGradient>
<linearGradient id="road" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#6d6468"/><stop offset="1" stop-color="#3b3a42"/></linearGradient>
<linearGradient id="fade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>
<mask id="floor"><rect y="${ground}" width="1280" height="130" fill="url(#fade)"/></mask>`;

const studio = `<rect width="1280" height="800" fill="url(#wall)"/>
<ellipse cx="640" cy="330" rx="620" ry="330" fill="url(#lamp)"/>
<rect y="560" width="1280" height="240" fill="url(#tiles)"/>
<rect y="556" width="1280" height="6" fill="#b4babd"/>`;

const evening = `<rect width="1280" height="800" fill="url(#sky)"/>
<circle cx="930" cy="452" r="64" fill="#ffe9bf" opacity=".95"/>
<path d="M0 520 L150 420 L290 490 L470 370 L640 480 L790 400 L980 500 L1130 430 L1280 500 V560 H0 Z" fill="#6d5876"/>
<path d="M0 556 Q200 490 420 532 T860 520 T1280 540 V600 H0 Z" fill="#46405a"/>
<rect y="562" width="1280" height="238" fill="url(#road)"/>
<rect y="562" width="1280" height="5" fill="#a58a86"/>
<path d="M60 742 H330 M500 742 H780 M950 742 H1230" stroke="#e9dcc6" stroke-width="8" opacity=".7"/>`;

function carOf(
  { body, windows, seams, handles, wheels, ends, fenders = [] }: CarShape,
  paint: string,
): string {
  const [rear, front] = ends;
  return `<path d="${body}" fill="${paint}"/><path d="${body}" fill="url(#gloss)"/>
${fenders.map((path) => `<path d="${path}" fill="${paint}"/><path d="${path}" fill="url(#gloss)"/>`).join('')}
<path d="${seams}" fill="none" stroke="#000" stroke-width="2.2" opacity=".4"/>
${windows.map((path) => `<path d="${path}" fill="url(#glass)" stroke="url(#chrome)" stroke-width="4"/>`).join('')}
<path d="M${rear + 10} 186 H${front - 8}" stroke="url(#chrome)" stroke-width="1"/>
<path d="M${rear + 10} 186 H${front - 8}" stroke="#f4f5f5" stroke-width="4" opacity=".75"/>
${handles.map(({ x, y }) => `<rect x="${x}" y="${y}" width="34" height="7" rx="3" fill="url(#chrome)"/>`).join('')}
${wheels.map((x) => `<path d="M${x - 82} 241 A82 84 0 0 1 ${x + 82} 241 Z" fill="#121416"/>`).join('')}
<rect x="${wheels[0] + 82}" y="232" width="${wheels[1] - wheels[0] - 164}" height="12" fill="#1c1f22"/>
<rect x="${rear - 10}" y="206" width="64" height="20" rx="8" fill="url(#chrome)"/>
<rect x="${front - 50}" y="206" width="64" height="20" rx="8" fill="url(#chrome)"/>
<rect x="${rear + 2}" y="164" width="20" height="26" rx="4" fill="#b3121c" stroke="url(#chrome)" stroke-width="3"/>
<rect x="${front - 26}" y="162" width="24" height="26" rx="10" fill="#fff4d6" stroke="url(#chrome)" stroke-width="4"/>
<rect x="${front - 46}" y="168" width="14" height="13" rx="3" fill="#e58a1f"/>
${wheels.map(wheelAt).join('')}`;
}

function wheelAt(x: number): string {
  const slots = Array.from({ length: 10 }, (_, index) => {
    const turn = `rotate(${index * 36} ${x} 238)`;
    return `<rect x="${x - 4}" y="203" width="8" height="13" rx="3" fill="#3d4449" transform="${turn}"/>`;
  });
  return `<circle cx="${x}" cy="238" r="${tyreRadius}" fill="#17191b"/><circle cx="${x}" cy="238" r="${tyreRadius - 6}" fill="none" stroke="#2c3033" stroke-width="3"/>
<circle cx="${x}" cy="238" r="41" fill="url(#rim)" stroke="#50585d" stroke-width="3"/>${slots.join('')}
<circle cx="${x}" cy="238" r="17" fill="url(#chrome)" stroke="#6b7479" stroke-width="2"/>`;
}
