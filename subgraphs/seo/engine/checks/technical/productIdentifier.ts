import type { Check } from '../Check.ts';

export const productIdentifier: Check = {
  id: 'product.identifier',
  group: 'technical',
  title: 'Product identifier',
  description: 'A VIN, GTIN or SKU identifies the product, so that offers can be compared.',
  requires: ['product'],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    const { vin, gtin, sku } = input.product ?? {};
    const found = Object.entries({ vin, gtin, sku })
      .filter(([, value]) => Boolean(value?.trim()))
      .map(([name]) => name);
    const value = { identifiers: found };
    if (found.length > 0)
      return { rating: 'good', code: 'good', value, text: 'The product has an identifier.' };
    return { rating: 'bad', code: 'missing', value, text: 'The product has no VIN, GTIN or SKU. Enter one.' };
  },
};
