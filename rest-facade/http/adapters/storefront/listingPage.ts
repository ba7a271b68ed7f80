import { type Html, html, trusted } from '../../../../site/html.ts';
import type { AttributeSchema, Listing } from './operations.ts';
import type { PageContext } from './PageContext.ts';
import { listingData } from './structuredData.ts';
import { summarize } from './summarize.ts';

/** Returns the page of a published listing. */
export function listingPage(context: PageContext, listing: Listing): string {
  const { labels } = context;
  const shown = listing.translation?.translation;
  const title = shown?.fields?.title ?? listing.title;
  const description = shown?.fields?.description ?? listing.description;
  const language = shown?.languageCode ?? listing.languageTag;
  const summary = summarize(description);
  const [first, ...others] = listing.images;
  return context.page({
    title,
    summary,
    url: listing.url,
    image: first ?? null,
    alternates: listing.alternates,
    data: listingData(listing, {
      title,
      description: summary,
      productType: listing.category?.attributeSchema?.productType ?? 'Product',
    }),
    content: html`<article>
<div class="gallery">${context.picture(first ?? null, '(min-width: 60rem) 55vw, 100vw', false) ?? ''}
${others.map((image) => context.picture(image, '(min-width: 60rem) 55vw, 100vw') ?? html``)}</div>
<div class="offer">
<h1 lang="${language}">${title}</h1>
${priceOf(context, listing)}
<h2>${labels.facts}</h2>
<dl>${factsOf(context, listing)}</dl>
${sellerOf(context, listing)}
</div>
<section class="description" lang="${language}"><h2>${labels.description}</h2>
${trusted(shown?.fields?.descriptionHtml ?? listing.descriptionHtml)}</section>
</article>`,
  });
}

function priceOf(context: PageContext, { price, priceType, lowestPrice30d }: Listing): Html {
  const { labels } = context;
  const note = priceType === 'NEGOTIABLE' ? html` <small>${labels.negotiable}</small>` : '';
  const lowest = lowestPrice30d
    ? html`<p class="quiet">${labels.lowestPrice} ${context.money(lowestPrice30d)}</p>`
    : '';
  return html`<p class="price">${price ? context.money(price) : labels.onRequest}${note}</p>${lowest}`;
}

/** Returns the attributes in the order of the category's schema, with its labels and units. */
function factsOf(context: PageContext, { attributes, category, location }: Listing): Html[] {
  const { labels, language } = context;
  const facts: [string, string][] = [];
  for (const [name, schema] of Object.entries(category?.attributeSchema?.properties ?? {})) {
    const value = attributes[name];
    if (value === undefined || value === null || schema.private) continue;
    facts.push([schema.description ?? inWords(name), valueText(context, value, schema)]);
  }
  const place = [location?.city, regionOf(location?.country, language)].filter((part) => part !== undefined);
  if (place.length > 0) facts.push([labels.place, place.join(', ')]);
  return facts.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`);
}

function valueText(context: PageContext, value: unknown, schema: AttributeSchema): string {
  const { language, labels } = context;
  if (Array.isArray(value)) return value.map((one) => valueText(context, one, schema)).join(', ');
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (typeof value === 'number') {
    // A year has no separator of thousands.
    const text = schema.unit === undefined ? String(value) : value.toLocaleString(language);
    return schema.unit === undefined ? text : `${text} ${schema.unit}`;
  }
  const text = String(value);
  const known = schema.valueLabels?.[text];
  const label = known?.[language] ?? known?.en ?? known?.und ?? text.replaceAll('_', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function inWords(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/ (km|kw|ccm|l per100 km)$/, '');
}

function regionOf(country: string | null | undefined, language: string): string | undefined {
  return country ? new Intl.DisplayNames(language, { type: 'region' }).of(country) : undefined;
}

function sellerOf(context: PageContext, { seller: { name, dealer }, contactPhone }: Listing): Html {
  const { labels } = context;
  const phone = contactPhone ?? dealer?.contactPhone;
  const call = phone ? html`<p><a href="tel:${phone}">${labels.phone}: ${phone}</a></p>` : '';
  const who = dealer
    ? html`<p class="seller">${context.picture(dealer.logo, '4rem') ?? ''}<a href="${context.local(dealer.url)}">${dealer.tradeName}</a></p>`
    : html`<p class="seller">${name} <small>${labels.privateSeller}</small></p>`;
  return html`<h2>${labels.seller}</h2>${who}${call}`;
}
