import { type Html, html, trusted } from '../../../../site/html.ts';
import type { Dealer, ListingCard } from './operations.ts';
import type { PageContext } from './PageContext.ts';
import { dealerData } from './structuredData.ts';
import { summarize } from './summarize.ts';

/** Returns the page of an active dealer, with its newest listings. */
export function dealerPage(
  context: PageContext,
  { dealer, listings }: { dealer: Dealer; listings: readonly ListingCard[] },
): string {
  const { labels } = context;
  const { tradeName, legalName, description, descriptionHtml, website, contactPhone, logo, url } = dealer;
  return context.page({
    title: tradeName,
    summary: summarize(description ?? tradeName),
    url,
    image: logo,
    data: dealerData(dealer),
    content: html`<div class="dealer">
${context.picture(logo, '8rem', false) ?? ''}
<div><h1>${tradeName}</h1>
${legalName !== null && legalName !== tradeName ? html`<p class="quiet">${legalName}</p>` : ''}
${descriptionHtml === null ? '' : trusted(descriptionHtml)}
${contactPhone === null ? '' : html`<p><a href="tel:${contactPhone}">${labels.phone}: ${contactPhone}</a></p>`}
${website === null ? '' : html`<p><a rel="nofollow noopener" href="${website}">${labels.website}</a></p>`}</div>
</div>
${dealer.locations.length === 0 ? '' : html`<h2>${labels.locations}</h2><div class="places">${dealer.locations.map((location) => placeOf(context, location))}</div>`}
<h2>${labels.listings} <small>${dealer.activeListings}</small></h2>
${context.cards(listings)}`,
  });
}

/** Monday, for names of days. */
const monday = Date.UTC(2024, 0, 1);
const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

function placeOf(
  { language }: PageContext,
  { name, address, openingHours }: Dealer['locations'][number],
): Html {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const hours = openingHours.map(({ day, opens, closes }) => {
    const date = monday + days.indexOf(day) * 86_400_000;
    return html`<tr><th scope="row">${format.format(date)}</th><td>${opens}–${closes}</td></tr>`;
  });
  const { line1, postalCode, city } = address;
  return html`<section><h3>${name}</h3><address>${line1}<br>${postalCode} ${city}</address>
${hours.length === 0 ? '' : html`<table>${hours}</table>`}</section>`;
}
