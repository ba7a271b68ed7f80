import type { Viz } from '@viz-js/viz';
import type { StateTable, Way } from './stateTables.ts';

/** Colors of a standalone drawing; in a page, it uses those of the surrounding text. */
const style =
  '<style>svg { color: #1c2126; } @media (prefers-color-scheme: dark) { svg { color: #e3e7ea; } }</style>\n';

/** Draws a table of states as SVG. Final states are bold, and lines have the color of the surrounding text. */
export function drawStates(viz: Viz, table: StateTable): string {
  const svg = viz.renderString(toDot(table), { format: 'svg' });
  const body = svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .replaceAll(/(fill|stroke)="black"/g, '$1="currentColor"')
    .replaceAll('<text ', '<text fill="currentColor" ')
    .replaceAll(' xml:space="preserve"', '')
    .replaceAll(/<(\/?)title>/g, '<$1desc>')
    .replace(/(<svg [^>]*)>/, `$1 role="img" aria-label="States: ${table.title}">\n${style.trimEnd()}`)
    // Makes ids unique among several drawings on a page.
    .replaceAll(/ id="(\w+)"/g, ` id="${table.name}-$1"`);
  return body;
}

/**
 * Returns whether there are too many transitions for labels; the arrows then have the numbers of their rows in the
 * table below.
 */
export function isNumbered(ways: readonly Way[]): boolean {
  return ways.length > 12 && ways.some(({ by }) => by !== undefined);
}

function toDot({ initial, ways }: StateTable): string {
  const leaving = new Set(ways.map(({ from }) => from));
  const states = new Set([initial, ...ways.flatMap(({ from, to }) => [from, to])]);
  const nodes = [...states].map((state) => `${quoted(state)}${leaving.has(state) ? '' : ' [penwidth=2.5]'};`);
  const labels = new Map<string, string[]>();
  for (const [index, { from, to, by }] of ways.entries()) {
    const arrow = `${quoted(from)} -> ${quoted(to)}`;
    const label = isNumbered(ways) ? String(index + 1) : by;
    const known = labels.get(arrow) ?? [];
    labels.set(arrow, label === undefined ? known : [...known, label]);
  }
  const between = isNumbered(ways) ? ', ' : '\\n';
  const arrows = [...labels].map(
    ([arrow, by]) => `${arrow} [label="${by.map(roomy).join(between).replaceAll('"', '')}"];`,
  );
  return `digraph {
bgcolor="transparent"; pad="0.4,0.1"; rankdir="TB"; nodesep=0.6; ranksep=0.6;
node [shape=box style=rounded fontname="Helvetica,Arial,sans-serif" fontsize=14 margin="0.25,0.08"];
edge [fontname="Helvetica,Arial,sans-serif" fontsize=13];
begin [shape=point width=0.12]; begin -> ${quoted(initial)};
${[...nodes, ...arrows].join('\n')}
}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '')}"`;
}

/** Adds space at both ends, because readers' fonts are wider than the one used for measuring. */
function roomy(label: string): string {
  const room = '\u00a0'.repeat(Math.ceil(label.length / 6));
  return `${room}${label}${room}`;
}
