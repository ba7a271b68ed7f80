import { print } from 'graphql';
import type { ErrorCode } from '../../schema/errorCodes.ts';
import { describeGuard } from '../../schema/guards/readGuard.ts';
import { errorsOf } from '../../schema/openapi/errorsOf.ts';
import { summaryOf } from '../../schema/openapi/summaryOf.ts';
import { withRestRoot } from '../../schema/route/pathTemplate.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { type Html, html, joined } from '../html.ts';
import type { RouteName } from '../problemPages.ts';
import type { PageGroup, SitePage } from '../SitePage.ts';
import { graphqlAnswer, restAnswer } from './exampleAnswer.ts';
import { exampleCall } from './exampleCall.ts';

/** The routes of one tag in one interface's order. */
type Tagged = ReadonlyMap<string, readonly RouteBinding[]>;

/**
 * Returns every route next to its GraphQL operation, one page for each tag, for moving an integration between the
 * styles. The pages are derived from the documents that the facade runs, so they are always up to date.
 */
export function routeGroup(bindings: readonly RouteBinding[], restRoot: string): PageGroup {
  const tagged = byTag(bindings);
  const index: SitePage = {
    path: '/docs/routes',
    title: 'From REST to GraphQL',
    keywords: 'migration migrating routes side by side',
    headings: () => [],
    content: () => indexContent(tagged, restRoot),
  };
  const pages = [...tagged].map(
    ([tag, routes]): SitePage => ({
      path: `/docs/routes/${tag}`,
      title: `Routes of ${tag}`,
      headings: () => routes.map((binding) => ({ id: placeOf(binding), text: nameOf(binding, restRoot) })),
      content: () => tagContent(tag, routes, restRoot),
    }),
  );
  return { title: 'Routes', folded: true, pages: [index, ...pages] };
}

/** Returns the routes with a specific code, in addition to the common ones of guards and bodies. */
export function routesNaming(
  bindings: readonly RouteBinding[],
  restRoot: string,
): (code: ErrorCode) => RouteName[] {
  return (code) =>
    bindings
      .filter(({ route }) => route.errors.includes(code))
      .map((binding) => ({
        name: nameOf(binding, restRoot),
        path: `/docs/routes/${binding.route.tag}#${placeOf(binding)}`,
      }));
}

function byTag(bindings: readonly RouteBinding[]): Tagged {
  const tagged = new Map<string, RouteBinding[]>();
  for (const binding of bindings) {
    const { tag } = binding.route;
    const known = tagged.get(tag);
    if (known) known.push(binding);
    else tagged.set(tag, [binding]);
  }
  return new Map([...tagged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf({ route }: RouteBinding, restRoot: string): string {
  return `${route.method} ${withRestRoot(route.path, restRoot)}`;
}

/** Returns the fragment of a route on its page; two routes may run one operation. */
function placeOf({ route }: RouteBinding): string {
  return `${route.method.toLowerCase()}-${route.path
    .replace(/\{rest_root\}\/|\/api\/v1\//g, '')
    .replace(/\W+/g, '-')
    .replace(/^-|-$/g, '')}`;
}

function indexContent(tagged: Tagged, restRoot: string): Html {
  const parts = [...tagged].map(
    ([tag, routes]) => html`<h2 id="${tag}"><a href="/docs/routes/${tag}">${tag}</a></h2>
<ul class="routes">${routes.map(
      (binding) =>
        html`<li><a href="/docs/routes/${tag}#${placeOf(binding)}"><code>${nameOf(binding, restRoot)}</code></a> ${wordsOf(binding)}</li>`,
    )}</ul>`,
  );
  return html`<h1>From REST to GraphQL</h1>
<p>Every REST route runs one GraphQL operation. Its page shows both calls with the same values, and both responses. An integration can migrate route by route: tokens, ids, cursors, versions and idempotency keys are the same in both styles.</p>
<div class="scrolls" role="region" aria-label="What stands where" tabindex="0"><table>
<thead><tr><th scope="col">In REST</th><th scope="col">In GraphQL</th></tr></thead>
<tbody>
<tr><td>path and query parameters</td><td>arguments, or members of <code>input</code></td></tr>
<tr><td>JSON body</td><td><code>input</code> of the mutation, with the same member names</td></tr>
<tr><td><code>If-Match: "3-…"</code></td><td><code>expectedVersion: 3</code> (<a href="/docs/concurrency">Concurrency</a>)</td></tr>
<tr><td><code>Idempotency-Key</code></td><td><code>idempotencyKey</code> (<a href="/docs/idempotency">Idempotency</a>)</td></tr>
<tr><td><code>limit</code>, <code>cursor</code>, <code>page.nextCursor</code></td><td><code>first</code>, <code>after</code>, <code>pageInfo.endCursor</code> (<a href="/docs/pagination">Pagination</a>)</td></tr>
<tr><td>enum values in lower case</td><td>the same in upper case</td></tr>
<tr><td>problem with a status</td><td><code>errors[].extensions.problem</code> (<a href="/docs/errors">Errors</a>)</td></tr>
<tr><td>404</td><td><code>null</code> for a record that is read</td></tr>
</tbody></table></div>
${parts}`;
}

function tagContent(tag: string, routes: readonly RouteBinding[], restRoot: string): Html {
  return html`<h1>Routes of ${tag}</h1>
<p><a href="/docs/routes">All routes</a>. Each call is shown with its required values. Operations can select fewer or more members.</p>
${routes.map((binding) => routeContent(binding, restRoot))}`;
}

function routeContent(binding: RouteBinding, restRoot: string): Html {
  const { route, guard } = binding;
  const call = exampleCall(binding, restRoot);
  const id = placeOf(binding);
  const answer = restAnswer(binding);
  const document = print(route.document);
  const codes = [...errorsOf(binding)].filter((code) => route.errors.includes(code));
  const token = guard.public ? [] : [['authorization', 'Bearer $TOKEN'] as const];
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"><a href="#${id}"><code>${nameOf(binding, restRoot)}</code></a></h2>
<p>${wordsOf(binding)}. ${guardWords(binding)}${
    codes.length > 0
      ? html` Specific errors: ${joined(
          codes.map((code) => html`<a href="/problems/${code}"><code>${code}</code></a>`),
          ', ',
        )}.`
      : ''
  }</p>
<div class="pair">
<div><h3>REST</h3>
${block('Request', curl(call, token))}
${answer === undefined ? html`<p>Answers ${route.status} without a body.</p>` : folded(`Answer ${route.status}`, JSON.stringify(answer, null, 2))}
</div>
<div><h3>GraphQL</h3>
${block('Operation', document)}
${block('Variables', JSON.stringify(call.variables, null, 2))}
${folded('Answer', JSON.stringify(graphqlAnswer(binding), null, 2))}
<p class="live"><a href="/graphiql?query=${encodeURIComponent(document)}&amp;variables=${encodeURIComponent(JSON.stringify(call.variables))}">Open in the explorer</a></p>
</div>
</div>
</section>`;
}

function wordsOf({ route, field }: RouteBinding): string {
  return route.summary ?? summaryOf(field.description ?? '');
}

function guardWords({ guard }: RouteBinding): string {
  return guard.public ? 'Public.' : `Guard: ${describeGuard(guard)}.`;
}

function curl(
  { method, path, headers, body }: ReturnType<typeof exampleCall>,
  token: readonly (readonly [string, string])[],
): string {
  const all = [
    ...token,
    ...headers,
    ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
  ];
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}"$URL${path}"`,
  ];
  for (const [name, value] of all)
    lines.push(value.startsWith('Bearer $') ? `  -H "${name}: ${value}"` : `  -H '${name}: ${value}'`);
  if (body !== undefined) lines.push(`  -d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n');
}

function block(label: string, text: string): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;
}

function folded(label: string, text: string): Html {
  return html`<details><summary>${label}</summary>
${block(label, text)}</details>`;
}
