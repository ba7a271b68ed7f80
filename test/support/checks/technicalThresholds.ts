import type { AnalysisInput } from '../../../subgraphs/seo/engine/contract.ts';
import { bands, good } from './thresholdRow.ts';

const generic = (count: number) => ({
  content: `<a href="/x">BMW prices</a>${'<a href="/y">here</a>'.repeat(count)}`,
});
const social = (missing: number) => ({
  social: Object.fromEntries(['title', 'description', 'image'].slice(missing).map((name) => [name, 'x'])),
});
const offers = [
  { price: 1, currency: 'EUR', availability: 'InStock' },
  { price: 1, currency: 'EUR' },
  { price: 1 },
];
const offer = (missing: number): AnalysisInput => ({ profile: 'product', product: offers[missing] ?? {} });

/** Both sides of every threshold of the checks of links and of machine-readable data. */
export const technicalThresholds = [
  ...bands('links.anchor_text/generic', generic, [good, 'ok generic', 'bad generic']),
  ...bands('social.og/missing', social, [good, 'ok missing', 'bad missing']),
  ...bands('product.offer/missing', offer, [good, 'ok missing', 'bad missing']),
];
