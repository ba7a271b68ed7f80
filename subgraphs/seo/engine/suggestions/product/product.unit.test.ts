import { AttributeReader } from './AttributeReader.ts';
import { leadOf, productLine } from './productLine.ts';
import { findWrittenForm, toName } from './writtenForm.ts';

describe('names of references', () => {
  test.each([
    ['alfa-romeo', "L'Alfa Romeo de mon père", 'Alfa Romeo'],
    ['megane-e-tech', 'Der Mégane E-Tech fährt', 'Mégane E-Tech'],
    ['e-220-d', 'Dieser E 220 d wurde gewartet', 'E 220 d'],
    ['mt-07', 'Die Yamaha MT-07', 'MT-07'],
    ['500', 'Der Fiat 500 als Cabrio', '500'],
    ['leon', 'El Seat León', 'León'],
    ['fiesta', 'FORD FIESTA EcoBoost', null],
    ['golf', 'We play golf', null],
    ['golf', 'no such word', null],
    ['land-cruiser', 'Land. Cruiser', null],
  ])('%s in "%s" is written %s', (reference, text, written) => {
    expect(findWrittenForm(reference, [text])).toBe(written);
  });

  test('a later text counts if the first one has only capitals', () => {
    expect(findWrittenForm('fiesta', ['FORD FIESTA', 'My Fiesta'])).toBe('Fiesta');
  });

  test.each([
    ['land-rover', 'Land Rover'],
    ['x5', 'X5'],
    ['320d', '320d'],
    ['chevelle_malibu', 'Chevelle Malibu'],
  ])('%s without a text is %s', (reference, name) => {
    expect(toName(reference)).toBe(name);
  });
});

describe('attributes', () => {
  const attributes = {
    make: 'bmw',
    fuel: 'plug_in_hybrid',
    powerKw: 110,
    mileageKm: 84_000,
    finish: 'matt_black',
    material: 'wool',
    doors: 5,
  };
  const attributeDisplay = {
    make: { valueLabels: { bmw: { und: 'BMW' } } },
    fuel: { valueLabels: { plug_in_hybrid: { en: 'plug-in hybrid', de: 'Plug-in-Hybrid' } } },
    powerKw: { unit: 'kW', readerUnit: { factor: 1.359_62, names: { en: 'hp', de: 'PS' } } },
    mileageKm: { unit: 'km' },
  };
  const reader = (language: string) => new AttributeReader({ attributes, attributeDisplay }, language, []);

  test.each([
    ['en', 'fuel', 'plug-in hybrid'],
    ['de-AT', 'fuel', 'Plug-in-Hybrid'],
    ['fi', 'fuel', ''],
    ['en', 'powerKw', '150 hp'],
    ['de', 'powerKw', '150 PS'],
    ['fi', 'powerKw', '110 kW'],
    ['en', 'mileageKm', '84,000 km'],
    ['de', 'mileageKm', '84.000 km'],
    ['en', 'finish', ''],
    ['en', 'material', 'wool'],
    ['en', 'doors', ''],
    ['en', 'missing', ''],
  ])('in %s, %s is shown as "%s"', (language, name, text) => {
    expect(reader(language).text(name)).toBe(text);
  });

  test('a make has its label if the page does not write it', () => {
    expect(reader('fi').name('make')).toBe('BMW');
  });

  test('attributes that are no object have no texts', () => {
    for (const wrong of [null, 'x', ['y'], undefined])
      expect(new AttributeReader({ attributes: wrong }, 'en', []).text('fuel')).toBe('');
  });
});

describe('lines of facts', () => {
  const facts = {
    model: 'Toyota Yaris',
    name: 'Toyota Yaris 116h Design',
    year: '2021',
    place: 'Liège',
    details: ['116 ch', 'hybride', 'boîte automatique'],
  } as const;
  const line = (lead: string, longest = 200) =>
    productLine(
      lead,
      { ...facts, brand: 'Toyota', mileage: '', attributes: new AttributeReader(null, 'fr', []) },
      (text) => text.length <= longest,
    );
  const lead = (keyphrase: string) =>
    leadOf(
      { ...facts, brand: 'Toyota', mileage: '', attributes: new AttributeReader(null, 'fr', []) },
      keyphrase,
    );

  test.each([
    ['', 'Toyota Yaris 116h Design'],
    ['toyota yaris', 'Toyota Yaris 116h Design'],
    ['Toyota Yaris hybride', 'Toyota Yaris hybride 116h Design'],
    ['voiture hybride', 'Voiture hybride: Toyota Yaris 116h Design'],
  ])('the keyphrase "%s" gives "%s"', (keyphrase, expected) => {
    expect(lead(keyphrase)).toBe(expected);
  });

  test('three facts follow, in the order of the facts, and what the name says is not repeated', () => {
    expect(line('Toyota Yaris hybride')).toBe(
      'Toyota Yaris hybride (2021), 116 ch, boîte automatique, Liège',
    );
  });

  test('the place has priority over minor facts if the width is small', () => {
    expect(line('Toyota Yaris', 38)).toBe('Toyota Yaris (2021), 116 ch, Liège');
  });
});
