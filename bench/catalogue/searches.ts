const members = 'make,fuel,transmission,bodyType,price,mileageKm,powerKw,modelYear';
const fourConditions =
  'attr.make=ford,toyota&attr.fuel=petrol&attr.modelYear.min=2015&price.max=900000&currency=EUR';
const berlin = 'near=52.52,13.405';

/** The most work that one question makes. */
export const everyFacet = `/facets?facets=${members}`;

/** What is asked, by a name for people; paths below `/api/v1/catalog`. */
export const searches: Readonly<Record<string, string>> = {
  newest: '/listings?limit=20',
  'by price, counted': '/listings?limit=20&sort=price&count=true',
  'four conditions, by price': `/listings?${fourConditions}&sort=price`,
  'a combination that hardly any has':
    '/listings?attr.make=bmw&attr.bodyType=saloon&attr.mileageKm.max=500&attr.modelYear.min=2024&count=true',
  'what none has': '/listings?attr.make=ford&attr.fuel=hydrogen&count=true',
  'by mileage': '/listings?attr.transmission=automatic&sort=-mileageKm',
  'around Berlin, the nearest first': `/listings?${berlin}&radiusKm=100&sort=distance&count=true`,
  'on a map': '/listings?bounds=50,8,51,9&attr.make=ford&sort=-price',
  'a rare word': '/listings?q=biscayne',
  'a word of every twelfth': '/listings?q=ford&count=true',
  'a word of every twelfth, by price': '/listings?q=ford&sort=price',
  'a word of every listing': '/listings?q=cylinders&count=true',
  'four words, one of them in every listing': '/listings?q=ford+torino+wagon+cylinders&count=true',
  'eight facets of everything': everyFacet,
  'eight facets of four conditions': `${everyFacet}&${fourConditions}`,
  'eight facets around Berlin': `${everyFacet}&${berlin}&radiusKm=100`,
  'eight facets of a rare word': `${everyFacet}&q=biscayne`,
  'eight facets of a word of every twelfth': `${everyFacet}&q=ford`,
  'eight facets of a word of every listing': `${everyFacet}&q=cylinders`,
};

/** Words that nobody asked for in this process: nothing is remembered of them. */
export const newWords = [
  'ford',
  'chevrolet',
  'plymouth',
  'dodge',
  'toyota',
  'datsun',
  'amc',
  'volkswagen',
  'buick',
  'cylinders',
];
