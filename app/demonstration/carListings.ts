import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bodyTypeOf, lookOf } from './pictures/carLooks.ts';
import type { CarPicture } from './pictures/drawCar.ts';

/** A row of the data set: road tests of 406 cars, model years 1970 to 1982, in the units of that time and region. */
interface Car {
  Name: string;
  Miles_per_Gallon: number | null;
  Cylinders: number;
  Displacement: number;
  Horsepower: number | null;
  Weight_in_lbs: number;
  Acceleration: number;
  Year: string;
  Origin: CarOrigin;
}

/** A car as the dealer offers it. */
export interface CarListing {
  stockNumber: string;
  title: string;
  description: string;
  /** Price in minor units of EUR. */
  priceAmount: number;
  attributes: Record<string, unknown>;
  german: { title: string; description: string };
  french: { title: string; description: string };
  /** Part of the world where the car was made. */
  origin: CarOrigin;
  look: Omit<CarPicture, 'scene'>;
}

/** Origin as in the data set. */
export type CarOrigin = 'USA' | 'Europe' | 'Japan';

/** Alternative spellings of makers in the data set. */
const makers: Readonly<Record<string, string>> = {
  chevy: 'chevrolet',
  chevroelt: 'chevrolet',
  toyouta: 'toyota',
  maxda: 'mazda',
  vw: 'volkswagen',
  vokswagen: 'volkswagen',
  'mercedes-benz': 'mercedes',
  hi: 'international',
  capri: 'ford',
};

const kilowattsPerHorsepower = 0.7457;
const cubicCentimetresPerCubicInch = 16.387;
const litresPer100KmTimesMpg = 235.215;
const kilogramsPerPound = 0.4536;

/** Returns the 406 cars as listings, always in the same order. */
export function readCarListings(): CarListing[] {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('vega-datasets');
  const cars = JSON.parse(readFileSync(path.join(path.dirname(entry), '../data/cars.json'), 'utf8')) as Car[];
  return cars.map(toListing);
}

function toListing(car: Car, index: number): CarListing {
  const facts = toFacts(car, index);
  const look = lookOf(car.Name, index);
  return {
    stockNumber: `CAR-${String(index + 1).padStart(4, '0')}`,
    title: `${facts.name}, ${facts.year}, ${facts.cylinders} cylinders`,
    description: describeInEnglish(facts),
    priceAmount: facts.priceEuro * 100,
    attributes: {
      ...toAttributes(car, facts),
      bodyType: bodyTypeOf(look.shape),
      exteriorColor: look.paint,
    },
    origin: car.Origin,
    look,
    german: {
      title: `${facts.name}, Baujahr ${facts.year}, ${facts.cylinders} Zylinder`,
      description: describeInGerman(facts),
    },
    french: {
      title: `${facts.name}, ${facts.year}, ${facts.cylinders} cylindres`,
      description: describeInFrench(facts),
    },
  };
}

interface Facts {
  name: string;
  make: string;
  model: string;
  year: number;
  cylinders: number;
  powerKw: number | null;
  displacementCcm: number;
  weightKg: number;
  litresPer100Km: number | null;
  secondsTo100: number;
  mileageKm: number;
  priceEuro: number;
}

/**
 * Returns metric facts of a car. Mileage and price are not in the data set. They are computed from the row, so that
 * every start offers the same stock.
 */
function toFacts(car: Car, index: number): Facts {
  const [first = '', ...rest] = car.Name.replace('Accelerationord', 'accord').toLowerCase().split(' ');
  const make = makers[first] ?? first;
  const power = car.Horsepower ?? 0;
  return {
    name: `${capitalise(make)} ${rest.map(capitalise).join(' ')}`.trim(),
    make,
    model: toReference(rest.join(' ') || make),
    year: Number(car.Year.slice(0, 4)),
    cylinders: car.Cylinders,
    powerKw: car.Horsepower === null ? null : Math.round(car.Horsepower * kilowattsPerHorsepower),
    displacementCcm: Math.round(car.Displacement * cubicCentimetresPerCubicInch),
    weightKg: Math.round(car.Weight_in_lbs * kilogramsPerPound),
    litresPer100Km:
      car.Miles_per_Gallon === null
        ? null
        : Math.round((litresPer100KmTimesMpg / car.Miles_per_Gallon) * 10) / 10,
    secondsTo100: car.Acceleration,
    mileageKm: 40_000 + ((index * 7919) % 160_000),
    priceEuro: 3900 + power * 45 + ((index * 104_729) % 4000),
  };
}

function toAttributes(car: Car, facts: Facts): Record<string, unknown> {
  return {
    make: facts.make,
    model: facts.model,
    firstRegistration: `${facts.year}-01`,
    modelYear: facts.year,
    mileageKm: facts.mileageKm,
    ...(facts.powerKw === null ? {} : { powerKw: facts.powerKw }),
    displacementCcm: facts.displacementCcm,
    ...(facts.litresPer100Km === null ? {} : { consumptionLPer100Km: facts.litresPer100Km }),
    fuel: car.Name.includes('diesel') ? 'diesel' : 'petrol',
    transmission: car.Cylinders === 8 ? 'automatic' : 'manual',
  };
}

function describeInEnglish(facts: Facts): string {
  const {
    name,
    year,
    cylinders,
    powerKw,
    displacementCcm,
    weightKg,
    litresPer100Km,
    secondsTo100,
    mileageKm,
  } = facts;
  return `## ${name} of ${year}

The ${name} on offer was built in ${year}. Its engine has ${cylinders} cylinders and ${displacementCcm} cm³${powerKw === null ? '' : `, and it makes ${powerKw} kW`}. The car weighs ${weightKg} kg, so it needs ${secondsTo100} seconds from standstill to 60 miles an hour.

## Condition

It has covered ${mileageKm} km. The body is sound and the papers are complete. However, it is a car of its time: there are no airbags, and the brakes want a firm foot.

## Running costs

${litresPer100Km === null ? 'The road test gives no fuel consumption.' : `In the road test it used ${litresPer100Km} litres on 100 km.`} Spare parts for the ${name} are easy to find. Therefore most repairs can be done in any good workshop.

Mileage and price are examples of this demonstration.`;
}

function describeInGerman(facts: Facts): string {
  const { name, year, cylinders, powerKw, displacementCcm, weightKg, litresPer100Km, mileageKm } = facts;
  return `## ${name} von ${year}

Der angebotene ${name} wurde ${year} gebaut. Der Motor hat ${cylinders} Zylinder und ${displacementCcm} cm³ Hubraum${powerKw === null ? '' : ` und leistet ${powerKw} kW`}. Das Auto wiegt ${weightKg} kg.

## Zustand

Es ist ${mileageKm} km gelaufen. Die Karosserie ist gesund, die Papiere sind vollständig.

## Verbrauch

${litresPer100Km === null ? 'Der Test nennt keinen Verbrauch.' : `Im Test verbrauchte es ${litresPer100Km} Liter auf 100 km.`} Ersatzteile sind leicht zu finden.

Laufleistung und Preis sind Beispiele dieser Vorführung.`;
}

function describeInFrench(facts: Facts): string {
  const { name, year, cylinders, powerKw, displacementCcm, weightKg, litresPer100Km, mileageKm } = facts;
  return `## ${name} de ${year}

Cette ${name} a été construite en ${year}. Son moteur compte ${cylinders} cylindres et ${displacementCcm} cm³${powerKw === null ? '' : `, pour ${powerKw} kW`}. La voiture pèse ${weightKg} kg.

## État

Elle a parcouru ${mileageKm} km. La carrosserie est saine et les papiers sont complets.

## Consommation

${litresPer100Km === null ? "L'essai n'indique pas la consommation." : `À l'essai, elle a consommé ${litresPer100Km} litres aux 100 km.`} Les pièces se trouvent facilement.

Le kilométrage et le prix sont des exemples de cette démonstration.`;
}

function capitalise(word: string): string {
  return /\d/.test(word) || word.length <= 3
    ? word.toUpperCase()
    : word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * Returns the reference of a model in the form of the category's schema: lower case, words joined by single hyphens.
 */
function toReference(text: string): string {
  return text
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
}
