import type { RouteBinding } from '../schema/route/RouteBinding.ts';
import { auditPage } from './audit/auditPage.ts';
import { guideGroups } from './guidePages.ts';
import { historyPage } from './history/historyPage.ts';
import { type Html, html } from './html.ts';
import { problemGroup } from './problemPages.ts';
import { restExplorer } from './restExplorer.ts';
import { routeGroup, routesNaming } from './routes/routePages.ts';
import type { PageGroup, SitePage } from './SitePage.ts';
import { type Section, sectionsOf } from './search/sectionsOf.ts';
import { siteDocument } from './shell/siteDocument.ts';
import { usagePage } from './usage/usagePage.ts';

/** The documentation: its pages, how they hang together, and each as HTML. */
export class Site {
  readonly groups: readonly PageGroup[];
  readonly #pages: ReadonlyMap<string, SitePage>;

  /**
   * Creates the site.
   *
   * @param bindings the routes of this service
   * @param restRoot path under which B and C are mounted
   */
  constructor(bindings: readonly RouteBinding[], restRoot: string) {
    this.groups = [
      ...guideGroups(),
      routeGroup(bindings, restRoot),
      problemGroup(routesNaming(bindings, restRoot)),
    ];
    const home: SitePage = {
      path: '/docs',
      title: 'Documentation',
      headings: () => [],
      content: () => homeContent(this.groups),
    };
    const pages = [
      home,
      restExplorer,
      auditPage(bindings, restRoot),
      historyPage(restRoot),
      usagePage,
      ...this.groups.flatMap((group) => group.pages),
    ];
    this.#pages = new Map(pages.map((page) => [page.path, page]));
  }

  /** Returns all paths. */
  get paths(): string[] {
    return [...this.#pages.keys()];
  }

  /** Returns the whole page at a path from the root, or undefined. */
  render(path: string): string | undefined {
    const page = this.#pages.get(path);
    return page && siteDocument(page, this.groups);
  }

  /** Returns what the search finds: the sections of every page. */
  sections(): Section[] {
    return [...this.#pages.values()].flatMap(sectionsOf);
  }
}

function homeContent(groups: readonly PageGroup[]): Html {
  const parts = groups.map(
    ({ title, pages, folded }) =>
      html`<section><h2>${title}</h2>
<ul>${(folded ? pages.slice(0, 1) : pages).map(
        (page) => html`<li><a href="${page.path}">${page.title}</a></li>`,
      )}</ul></section>`,
  );
  return html`<h1>Documentation</h1>
<p>One service, two styles: every documented REST path runs one GraphQL operation, so both use the same guards and the same data.</p>
<ul class="entry-pages">
<li><a href="/docs/rest">REST explorer</a> every route<span class="live">, with a form to call it</span></li>
<li class="live"><a href="/graphiql">GraphQL explorer</a> the whole schema, with a sign-in</li>
<li><a href="/audit">Audit of guards</a> who may call what, computed from the schema</li>
<li><a href="/docs/history">History of fields and routes</a> in which release each was added, deprecated and removed</li>
<li class="live"><a href="/docs/usage">Use of the API</a> which clients call what, for operators</li>
<li><a href="/docs/routes">From REST to GraphQL</a> every route with the operation that it runs</li>
<li><a href="/problems">Error codes</a> what each error means</li>
</ul>
<div class="groups">${parts}</div>`;
}
