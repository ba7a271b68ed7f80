import type { ExportPart } from '../../kernel/personal-data/PersonalData.ts';

/** Returns the page that introduces an archive to its reader. It depends only on the files next to it. */
export function indexPage(
  { name, at }: { name: string; at: Date },
  parts: readonly { part: ExportPart; records: number }[],
): string {
  const rows = parts.map(
    ({ part, records }) =>
      `<tr><td><a href="${escape(part.file)}">${escape(part.title)}</a></td><td>${escape(part.description)}</td><td>${records}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your data at ${escape(name)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid; padding: 0.5rem; text-align: left; vertical-align: top; }
td:last-child, th:last-child { text-align: right; }
</style>
</head>
<body>
<h1>Your data at ${escape(name)}</h1>
<p>Everything that was stored about you on <time datetime="${at.toISOString()}">${at.toISOString().slice(0, 10)}</time>.
Each file is JSON, which other programs read; times are in UTC.</p>
<table>
<thead><tr><th scope="col">File</th><th scope="col">What it holds</th><th scope="col">Records</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
