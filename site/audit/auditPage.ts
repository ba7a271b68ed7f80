import { readFileSync } from 'node:fs';
import path from 'node:path';
import { print } from 'graphql';
import type { Audit, AuditedField, AuditedMethod } from '../../schema/audit/Audit.ts';
import { withRestRoot } from '../../schema/route/pathTemplate.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { type Html, html } from '../html.ts';
import type { SitePage } from '../SitePage.ts';

const file = path.join(import.meta.dirname, '../../schema/audit.json');

/** Columns below the name of a method or field. */
const columns = [
  'Field',
  'Guard',
  'Owned object',
  'Permission',
  'Client scope',
  'Step-up',
  'Rate class',
] as const;

/** Filters of rows, by the word in the URL. */
const kinds = {
  public: 'public',
  authenticated: 'any identity',
  owner: 'owners',
  dealer: 'members of a dealer',
  permission: 'a permission',
  stepup: 'a fresh sign-in',
} as const;

/**
 * Returns the committed audit of guards as a page with filter and search. It is read on first use, because most
 * processes never need it. Paths are those of this deployment.
 */
export function auditPage(bindings: readonly RouteBinding[], restRoot: string): SitePage {
  return {
    path: '/audit',
    title: 'Audit of guards',
    keywords: 'permissions scopes step-up rate class public exceptions',
    headings: () => [],
    content: () => contentOf(readAudit(restRoot), queriesOf(bindings)),
    layout: 'wide',
    styles: ['audit.css'],
    scripts: ['rows.js'],
  };
}

/** Returns the committed audit with the paths of this deployment. */
export function readAudit(restRoot: string): Audit {
  const audit = JSON.parse(readFileSync(file, 'utf8')) as Audit;
  const methods = audit.methods.map((method) => ({ ...method, path: withRestRoot(method.path, restRoot) }));
  return { ...audit, methods };
}

/** Returns the operation of each document, to open it in the explorer. */
function queriesOf(bindings: readonly RouteBinding[]): ReadonlyMap<string, string> {
  return new Map(bindings.map(({ route }) => [route.file, print(route.document)]));
}

function contentOf(audit: Audit, queries: ReadonlyMap<string, string>): Html {
  return html`<h1>Audit of guards</h1>
<p>Computed from the schema and the route documents of this service. As JSON: <code>curl -H 'Accept: application/json' …/audit</code>. Open a method in the <a href="/docs/rest">REST explorer</a> or the <a href="/graphiql">GraphQL explorer</a>.</p>
${summary(audit)}
<form role="search">
<label>Search <input type="search" name="q" placeholder="path, field, permission …" autocomplete="off"></label>
<label>Interface <select name="interface"><option value="">all</option><option>A</option><option>B</option><option>C</option><option value="graphql">GraphQL only</option></select></label>
<label>Guarded by <select name="kind"><option value="">anything</option>${Object.entries(kinds).map(
    ([word, text]) => html`<option value="${word}">${text}</option>`,
  )}</select></label>
<p id="count" role="status"></p>
</form>
${table(
  'REST methods',
  'Method',
  audit.methods.map((method) => methodRow(method, queries)),
)}
${table(
  'Root fields in GraphQL only',
  '',
  audit.rootFields
    .filter(({ routes }) => routes === 0)
    .map((field) => row('graphql', null, field, field.operation ?? undefined)),
)}`;
}

function summary({ interfaces, findings }: Audit): Html {
  const counts = Object.entries(interfaces).map(
    ([name, { authenticated, public: open, unguarded }]) =>
      html`<li>Interface ${name}: ${authenticated} authenticated, ${open} public, ${unguarded} without a guard</li>`,
  );
  const faults = findings.map((finding) => html`<li class="none">${finding}</li>`);
  return html`<ul>${counts}${faults}</ul>`;
}

function table(caption: string, first: string, rows: readonly Html[]): Html {
  const head = [first, ...columns, 'Why public'].filter((name) => name !== '');
  return html`<div class="rows" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr>${head.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function methodRow(method: AuditedMethod, queries: ReadonlyMap<string, string>): Html {
  const name = html`<code>${`${method.method} ${method.path}`}</code>`;
  const operation = method.operation ?? '';
  const shown =
    operation === ''
      ? name
      : html`<a href="/docs/rest?of=${method.interface.toLowerCase()}#/${encodeURIComponent(method.tag)}/${encodeURIComponent(operation)}">${name}</a>`;
  const query = queries.get(method.document ?? '');
  return row(method.interface, html`<th scope="row">${shown}</th>`, method, query);
}

function row(owner: string, name: Html | null, audited: AuditedMethod | AuditedField, query?: string): Html {
  const field = audited.field === null ? 'adapter' : html`<code>${audited.field}</code>`;
  const link =
    query === undefined ? field : html`<a href="/graphiql?query=${encodeURIComponent(query)}">${field}</a>`;
  const cells = [
    audited.guard === null ? html`<span class="none">NO GUARD</span>` : audited.guard,
    ...[
      audited.ownerRule,
      audited.permission,
      audited.clientScope,
      audited.stepUpSeconds === null ? null : `${audited.stepUpSeconds} s`,
      audited.rateClass,
      audited.reason,
    ].map((text) => text ?? ''),
  ];
  const fieldCell = name === null ? html`<th scope="row">${link}</th>` : html`<td>${link}</td>`;
  return html`<tr data-interface="${owner}" data-kind="${kindsOf(audited).join(' ')}">${name ?? ''}${fieldCell}${cells.map(
    (cell) => html`<td>${cell}</td>`,
  )}</tr>`;
}

function kindsOf(audited: AuditedMethod | AuditedField): (keyof typeof kinds)[] {
  const { ownerRule, permission } = audited;
  const found: (keyof typeof kinds)[] = [];
  if (audited.public) found.push('public');
  if (ownerRule?.includes(' of ') && !ownerRule.startsWith('dealer ')) found.push('owner');
  if (ownerRule?.includes('dealer ')) found.push('dealer');
  if (permission !== null) found.push('permission');
  if (audited.stepUpSeconds !== null) found.push('stepup');
  if (!audited.public && ownerRule === null && permission === null) found.push('authenticated');
  return found;
}
