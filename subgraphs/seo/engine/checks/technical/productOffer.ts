import type { Check } from '../Check.ts';
import { rateByUpperLimits } from '../rate.ts';

export const productOffer: Check = {
  id: 'product.offer',
  group: 'technical',
  title: 'Product offer',
  description: 'Buyers want to see the price, currency and availability in the search result.',
  requires: ['product'],
  needs: null,
  forRelated: false,
  evaluate({ input, thresholds }) {
    const { price, currency, availability } = input.product ?? {};
    const filled = {
      price: typeof price === 'number' && Number.isFinite(price) && price >= 0,
      currency: Boolean(currency?.trim()),
      availability: Boolean(availability?.trim()),
    };
    const missing = Object.entries(filled)
      .filter(([, isFilled]) => !isFilled)
      .map(([name]) => name);
    const rating = rateByUpperLimits(missing.length, thresholds['product.offer'].missing);
    const value = { missing };
    if (rating === 'good') return { rating, code: 'good', value, text: 'The offer is complete.' };
    const text = `The offer lacks: ${missing.join(', ')}. Add what is missing.`;
    return { rating, code: 'missing', value, params: value, text };
  },
};
