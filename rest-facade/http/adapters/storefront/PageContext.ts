import { type Html, html } from '../../../../site/html.ts';
import { htmlPage } from '../../../../site/shell/htmlPage.ts';
import { type Labels, labelsOf } from './labels.ts';
import type { Alternates, ListingCard, Money, Picture } from './operations.ts';
import { trustedData } from './structuredData.ts';

/** Style sheets of the pages of the storefront. */
export const storefrontStyles = ['/docs/shell.css', '/docs/site.css', '/docs/storefront.css'];

/** What every page of the storefront needs: its reader, and the address of the installation. */
export class PageContext {
  readonly language: string;
  readonly labels: Labels;
  readonly #baseUrl: string;

  constructor(language: string, baseUrl: string) {
    this.language = language;
    this.labels = labelsOf(language);
    this.#baseUrl = baseUrl;
  }

  /**
   * Returns a URL of the installation relative to its root, so that a page that was opened under another host name of
   * the same service loads its pictures from there.
   */
  local(url: string): string {
    return url.startsWith(`${this.#baseUrl}/`) ? url.slice(this.#baseUrl.length) : url;
  }

  /** Returns the public URL of a path. */
  absolute(path: string): string {
    return this.#baseUrl + path;
  }

  /** Returns an amount in the format of the reader's language. */
  money({ amount, currency }: Money): string {
    const format = new Intl.NumberFormat(this.language, { style: 'currency', currency });
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return format.format(amount / 10 ** digits).replace(/[.,]00(?=\D|$)/, '');
  }

  /** Returns the image in all its sizes; null without one. */
  picture(image: Picture | null, sizes: string, lazy = true): Html | null {
    const jpegs = this.#sources(image, 'JPEG');
    const largest = jpegs.at(-1);
    if (!image || !largest) return null;
    const sourceSet = (format: string) =>
      this.#sources(image, format)
        .map(({ width, url }) => `${this.local(url)} ${width}w`)
        .join(', ');
    const loading = lazy ? html` loading="lazy"` : '';
    return html`<picture><source type="image/webp" srcset="${sourceSet('WEBP')}" sizes="${sizes}">
<img src="${this.local(largest.url)}" srcset="${sourceSet('JPEG')}" sizes="${sizes}" width="${largest.width}" height="${largest.height}" alt="${image.altText ?? ''}"${loading}></picture>`;
  }

  /** Returns the renditions of a format in ascending order of width, each width once. */
  #sources(image: Picture | null, format: string): readonly Picture['renditions'][number][] {
    const known = new Map(
      (image?.renditions ?? []).filter((one) => one.format === format).map((one) => [one.width, one]),
    );
    return [...known.values()].sort((a, b) => a.width - b.width);
  }

  /** Returns listings as a list of links with pictures. */
  cards(listings: readonly ListingCard[]): Html {
    const { labels } = this;
    if (listings.length === 0) return html`<p>${labels.noListings}</p>`;
    return html`<ul class="cards">${listings.map(
      ({ url, title, price, location, cover }) => html`<li><a href="${this.local(url)}">
<span class="photo">${this.picture(cover, '(min-width: 60rem) 20rem, 50vw') ?? ''}</span>
<span class="title">${title}</span></a>
<span class="price">${price ? this.money(price) : labels.onRequest}</span>
<span class="where">${location?.city ?? ''}</span></li>`,
    )}</ul>`;
  }

  /** Returns a whole page. */
  page(parts: {
    readonly title: string;
    readonly summary: string;
    readonly url: string;
    readonly image?: Picture | null;
    readonly alternates?: Alternates;
    readonly data?: object;
    readonly content: Html;
  }): string {
    const { title, summary, url, image = null, alternates, data, content } = parts;
    const cover = this.#sources(image, 'JPEG').at(-1);
    return htmlPage({
      language: this.language,
      title,
      styles: storefrontStyles,
      scripts: [
        html`<meta name="description" content="${summary}">`,
        html`<link rel="canonical" href="${url}">`,
        ...(alternates ?? []).map(
          ({ hreflang, href }) => html`<link rel="alternate" hreflang="${hreflang}" href="${href}">`,
        ),
        html`<meta property="og:title" content="${title}">`,
        html`<meta property="og:description" content="${summary}">`,
        html`<meta property="og:url" content="${url}">`,
        ...(cover ? [html`<meta property="og:image" content="${cover.url}">`] : []),
        ...(data ? [trustedData(data)] : []),
      ],
      attributes: html` class="wide storefront"`,
      content: html`<a class="skip" href="#content">Skip to the content</a>
<header><a class="name" href="/listings">${this.labels.listings}</a>
<search><form action="/listings"><label class="unseen" for="q">${this.labels.search}</label>
<input id="q" name="q" type="search" maxlength="200"> <button>${this.labels.find}</button></form></search></header>
<main id="content" tabindex="-1">
${content}
</main>`,
    });
  }
}
