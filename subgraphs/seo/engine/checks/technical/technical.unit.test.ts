import { surroundedBy, testChecks } from '../../../../../test/support/checks/runCheck.ts';

const permalink = 'https://auto.example/bmw';
const article = { '@type': 'Article', headline: 'x', image: 'x', datePublished: 'x', author: 'x' };
const car = { '@type': ['Product', 'https://schema.org/Car'], name: 'x', offers: { price: 1 } };

const alternates = (language: string, reciprocal: boolean) => [{ language, reciprocal }];

testChecks({
  'robots.indexable': [
    ['indexable', {}, 'good good'],
    ['noindex', { noindex: true }, 'bad noindex'],
  ],
  'canonical.valid': [
    ['not known', { permalink }, 'na canonical_unknown'],
    ['known to be absent', { permalink, canonicalUrl: null }, 'good self'],
    ['another spelling of it', { permalink, canonicalUrl: 'https://www.auto.example/bmw/' }, 'good self'],
    ['another page of the site', { permalink, canonicalUrl: 'https://auto.example/x' }, 'ok other_page'],
    ['another site', { permalink, canonicalUrl: 'https://b.example/bmw' }, 'bad foreign_host'],
    ['a relative address', { permalink, canonicalUrl: '/bmw' }, 'bad not_absolute'],
    ['a full address of a page without permalink', { canonicalUrl: permalink }, 'good absolute'],
    ['another scheme', { permalink, canonicalUrl: 'ftp://auto.example/bmw' }, 'bad not_absolute'],
  ],
  'hreflang.valid': [
    ['nothing is known about other objects', {}, 'na object_unknown'],
    ['no translations', { surroundings: surroundedBy() }, 'na no_translations'],
    ['both ways', { surroundings: surroundedBy({ alternates: alternates('de-AT', true) }) }, 'good good'],
    ['one', { surroundings: surroundedBy({ alternates: alternates('de', false) }) }, 'bad not_reciprocal'],
    ['no tag', { surroundings: surroundedBy({ alternates: alternates('german', true) }) }, 'bad invalid_tag'],
  ],
  'social.og': [
    ['complete', { social: { ogTitle: 'a', og_description: 'b', 'og:image': { url: 'c' } } }, 'good good'],
    ['not known', {}, 'na social_unknown'],
    ['not an object', { social: ['title'] }, 'na social_unknown'],
  ],
  'schema.present': [
    ['an article', { schema: article }, 'good good'],
    ['an article in a graph', { schema: { '@graph': [{ '@type': 'WebSite' }, article] } }, 'good good'],
    ['an article as JSON text', { schema: JSON.stringify([article]) }, 'good good'],
    [
      'an article in the text',
      { content: `<script type="application/ld+json">${JSON.stringify(article)}</script>` },
      'good good',
    ],
    ['a car of a product', { profile: 'product', schema: [car] }, 'good good'],
    ['a car of an article', { schema: car }, 'bad other_type'],
    ['an empty list', { schema: [] }, 'bad missing'],
    ['a dealer of a page', { profile: 'page', schema: { '@type': 'AutoDealer' } }, 'good good'],
    ['a list of a collection', { profile: 'collection', schema: { '@type': 'ItemList' } }, 'good good'],
    ['not known', { schema: null }, 'na schema_unknown'],
  ],
  'schema.valid': [
    ['complete', { schema: article }, 'good good'],
    ['recommended missing', { schema: { '@type': 'BlogPosting', headline: 'x' } }, 'ok recommended_missing'],
    ['required missing', { schema: { '@type': 'Article', headline: '' } }, 'bad required_missing'],
    ['no offer', { profile: 'product', schema: { '@type': 'Car', name: 'x' } }, 'bad required_missing'],
    ['a car without an identifier', { profile: 'product', schema: car }, 'ok recommended_missing'],
    ['two articles', { schema: [article, article] }, 'bad duplicate'],
    ['broken JSON', { schema: '{' }, 'bad unreadable'],
    ['a node without a type', { schema: { name: 'x' } }, 'bad unreadable'],
    ['only other types', { schema: { '@type': 'Person' } }, 'na schema_unknown'],
    ['not known', {}, 'na schema_unknown'],
  ],
  'product.identifier': [
    ['a VIN', { profile: 'product', product: { vin: 'WBA0000000000000' } }, 'good good'],
    ['blank ones', { profile: 'product', product: { vin: ' ', sku: '', gtin: null } }, 'bad missing'],
    ['no product data', { profile: 'product' }, 'na product_unknown'],
    ['an article', { product: { vin: 'x' } }, 'na not_in_profile'],
  ],
  'product.offer': [
    [
      'complete',
      { profile: 'product', product: { price: 1, currency: 'EUR', availability: 'x' } },
      'good good',
    ],
    [
      'a price of zero is a price',
      { profile: 'product', product: { price: 0, currency: 'EUR', availability: 'x' } },
      'good good',
    ],
    ['no number', { profile: 'product', product: { price: Number.NaN, currency: 'EUR' } }, 'bad missing'],
  ],
});
