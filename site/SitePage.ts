import type { Html } from './html.ts';

/** A part of a page that can be found and linked to. */
export interface Heading {
  /** Fragment of the address, without `#`. */
  readonly id: string;
  readonly text: string;
}

/** One page of the documentation. */
export interface SitePage {
  /** Address on the product, from the root: `/docs/listings`. */
  readonly path: string;
  readonly title: string;
  /** Other words by which it is looked for. */
  readonly keywords?: string;
  /** Below the title; called when the page is first asked for. */
  readonly headings: () => readonly Heading[];
  /** What stands in `main`, its `h1` included, with links from the root. */
  readonly content: () => Html;
  /** `wide`: no list of pages beside it, as explorers and large tables have none. */
  readonly layout?: 'wide';
  /** Style sheets and scripts of this page besides those of all, by name below `/docs/`. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** Pages under one heading of the navigation. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Whether the navigation names the first page only, because the group has its own list there. */
  readonly folded?: true;
}
