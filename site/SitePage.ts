import type { Html } from './html.ts';

/** A part of a page that can be found and linked to. */
export interface Heading {
  /** Fragment of the address, without `#`. */
  readonly id: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface SitePage {
  /** Address on the product, from the root: `/docs/listings`. */
  readonly path: string;
  readonly title: string;
  /** Further words by which it is found. */
  readonly keywords?: string;
  /** Returns the headings below the title; called when the page is first requested. */
  readonly headings: () => readonly Heading[];
  /** Returns the content of `main`, including its `h1`, with links from the root. */
  readonly content: () => Html;
  /** `wide`: without a list of pages, as for explorers and large tables. */
  readonly layout?: 'wide';
  /** Style sheets and scripts of this page besides the common ones, by name below `/docs/`. */
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
