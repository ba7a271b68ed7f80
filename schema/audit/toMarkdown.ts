import type { Audit, AuditedMethod } from './Audit.ts';
import { inWords } from './toText.ts';

/** The audit as tables of Markdown: one line for each method, so that a changed guard is one changed line. */
export function toMarkdown(audit: Audit): string {
  const sections = Object.entries(audit.interfaces).map(
    ([name, { authenticated, public: open, unguarded }]) => {
      const methods = audit.methods.filter((method) => method.interface === name);
      return `## Interface ${name}: ${authenticated} authenticated, ${open} public, ${unguarded} without a guard\n\n${methodTable(methods)}`;
    },
  );
  const graphqlOnly = audit.rootFields.filter(({ routes }) => routes === 0);
  const parts = [
    '# Audit of guards',
    'Made by `npm run generate` from the supergraph and the route documents; a change of a guard is a change of this file.',
    ...sections,
    '## Root fields in GraphQL only',
    table(
      ['Field', 'Guard', 'Rate class', 'Why public'],
      graphqlOnly.map(({ field, guard, rateClass, reason }) => [
        code(field),
        inWords(guard),
        rateClass,
        reason,
      ]),
    ),
    '## Nested fields with a guard of their own',
    table(
      ['Field', 'Guard', 'Guard of its type'],
      audit.nestedFields.map(({ field, guard, typeGuard }) => [code(field), guard, typeGuard]),
    ),
    '## Paths of the service',
    table(
      ['Path', 'Answers'],
      audit.operations.map(({ method, path, summary }) => [code(`${method} ${path}`), summary]),
    ),
  ];
  if (audit.findings.length > 0)
    parts.push('## Findings', audit.findings.map((text) => `- ${text}`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function methodTable(methods: readonly AuditedMethod[]): string {
  return table(
    ['Method', 'Operation', 'Guard', 'Rate class', 'Why public'],
    methods.map(({ method, path, field, guard, rateClass, reason }) => [
      code(`${method} ${path}`),
      field === null ? 'adapter' : code(field),
      inWords(guard),
      rateClass,
      reason,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const line = (cells: readonly (string | null)[]) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
