import type { AnalysisInput } from '../../contract.ts';
import { at, good, type ThresholdRow, upTo } from '../thresholdRow.ts';

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

/** Both sides of every number of the checks of links and of what machines read. */
export const technicalThresholds: ThresholdRow[] = [
  upTo(at('links.anchor_text/generic/good'), generic, { expected: [good, 'ok generic'] }),
  upTo(at('links.anchor_text/generic/ok'), generic, { expected: ['ok generic', 'bad generic'] }),
  upTo(at('social.og/missing/good'), social, { expected: [good, 'ok missing'] }),
  upTo(at('social.og/missing/ok'), social, { expected: ['ok missing', 'bad missing'] }),
  upTo(at('product.offer/missing/good'), offer, { expected: [good, 'ok missing'] }),
  upTo(at('product.offer/missing/ok'), offer, { expected: ['ok missing', 'bad missing'] }),
];
