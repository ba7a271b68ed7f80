import { describeOrigins } from './describeOrigins.ts';

test('a start with demonstration and without allowed origins states how to allow one', () => {
  const [hint, ...more] = describeOrigins({ demonstration: true, corsOrigins: [] });
  expect([hint, more]).toEqual([expect.stringContaining('CORS_ORIGINS='), []]);
});

test.each([
  { demonstration: true, corsOrigins: ['https://shop.example'] },
  { demonstration: false, corsOrigins: [] },
])('a start with %j has no hint about origins', (configuration) => {
  expect(describeOrigins(configuration)).toEqual([]);
});
