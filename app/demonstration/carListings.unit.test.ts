import { readCarListings } from './carListings.ts';

const listings = readCarListings();

test('offers every car of the data set once', () => {
  expect(listings).toHaveLength(406);
  expect(new Set(listings.map(({ stockNumber }) => stockNumber)).size).toBe(406);
});

test('creates the same stock at every start', () => {
  expect(readCarListings()).toEqual(listings);
});

test('converts units to metric: the first car has 307 cubic inches and 130 horsepower', () => {
  expect(listings[0]).toMatchObject({
    title: 'Chevrolet Chevelle Malibu, 1970, 8 cylinders',
    attributes: {
      make: 'chevrolet',
      displacementCcm: 5031,
      powerKw: 97,
      consumptionLPer100Km: 13.1,
      modelYear: 1970,
    },
  });
});

test('corrects misspelt makers of the data set', () => {
  const makes = new Set(listings.map(({ attributes }) => attributes.make));
  for (const wrong of ['chevroelt', 'toyouta', 'maxda', 'vokswagen', 'vw'])
    expect(makes).not.toContain(wrong);
});

test('leaves out a value that the data set lacks instead of storing zero', () => {
  expect(listings.filter(({ attributes }) => !('powerKw' in attributes))).toHaveLength(6);
  expect(listings.filter(({ attributes }) => !('consumptionLPer100Km' in attributes))).toHaveLength(8);
});
