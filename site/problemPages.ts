import { type ErrorCode, errorCodes, titleOf } from '../schema/errorCodes.ts';
import { errorMeanings } from '../schema/errorMeanings.ts';
import { type Html, html } from './html.ts';
import type { PageGroup, SitePage } from './SitePage.ts';

/** A route that documents a code. */
export interface RouteName {
  /** `GET /api/v1/me` */
  readonly name: string;
  /** Path of its page. */
  readonly path: string;
}

const codes = Object.keys(errorCodes) as ErrorCode[];

/**
 * Returns a page for each error code, at the URL in the `type` of a problem, and their index.
 *
 * @param routesOf returns the routes with a specific code
 */
export function problemGroup(routesOf: (code: ErrorCode) => readonly RouteName[]): PageGroup {
  const index: SitePage = {
    path: '/problems',
    title: 'Every error code',
    keywords: 'problems refusals status',
    headings: () => [],
    content: indexContent,
  };
  return { title: 'Errors', folded: true, pages: [index, ...codes.map((code) => codePage(code, routesOf))] };
}

function codePage(code: ErrorCode, routesOf: (code: ErrorCode) => readonly RouteName[]): SitePage {
  return {
    path: `/problems/${code}`,
    title: titleOf(code),
    keywords: `${code} ${errorCodes[code]}`,
    headings: () => [],
    content: () => codeContent(code, routesOf(code)),
  };
}

function indexContent(): Html {
  const rows = codes.map(
    (code) =>
      html`<tr><td class="figure">${errorCodes[code]}</td><th scope="row"><a href="/problems/${code}"><code>${code}</code></a></th><td>${errorMeanings[code]}</td></tr>`,
  );
  return html`<h1>Every error code</h1>
<p><a href="/docs/errors">Errors</a> describes the format of an error. The <code>type</code> of a problem is the URL of its page here.</p>
<div class="scrolls" role="region" aria-label="Error codes" tabindex="0"><table>
<thead><tr><th scope="col" class="figure">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function codeContent(code: ErrorCode, routes: readonly RouteName[]): Html {
  const status = errorCodes[code];
  const own =
    routes.length === 0
      ? ''
      : html`<h2 id="routes"><a href="#routes">Routes with this error</a></h2>\n<ul>${routes.map(
          ({ name, path }) => html`<li><a href="${path}"><code>${name}</code></a></li>`,
        )}</ul>\n`;
  const problem = { title: titleOf(code), status, code, detail: '…' };
  return html`<h1>${titleOf(code)}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p>${errorMeanings[code]}</p>
<h2 id="rest"><a href="#rest">Over REST</a></h2>
<p>The body is <code>application/problem+json</code>:</p>
${jsonBlock({ type: `…/problems/${code}`, ...problem, instance: 'urn:uuid:…', requestId: '…' })}
<h2 id="graphql"><a href="#graphql">Over GraphQL</a></h2>
<p>The same problem is in <code>errors</code>, next to the data that could be returned:</p>
${jsonBlock({ errors: [{ message: '…', path: ['…'], extensions: { problem } }] })}
${own}<p><a href="/problems">Every error code</a>, and <a href="/docs/errors">the format of errors</a></p>`;
}

function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
