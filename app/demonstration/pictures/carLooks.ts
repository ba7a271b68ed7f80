import { type CarPaint, type CarPicture, carPaints } from './drawCar.ts';

/** Names of cars by body, in the order in which they are compared. Every other car is a saloon. */
const bodies = [
  ['beetle', /volkswagen (1131|super beetle|model 111)/],
  ['pickup', /\b(f250|f108|c10|c20|d100|d200|1200d|s-10|ranger|rampage|pickup)\b/],
  ['estate', /\(sw\)|wagon|woody|suburb|volvo (145|245)|country$|vista cruiser/],
  [
    'coupe',
    /coupe|hardtop|challenger|'cuda|duster|mustang(?! ii)|monte carlo|camaro|firebird|capri\b|manta|rx-?[2347]|celica|28?0-?zx|200-?sx|tr7|thunderbird|eldorado|cougar|grand prix|skyhawk|monza|starfire|sapporo|arrow|charger|prelude|x1\.9|magnum|cordoba|sebring|tc3|scirocco|landau|2-door|astro/,
  ],
  [
    'hatchback',
    /civic|rabbit|gremlin|pacer|pinto|vega|fiesta|glc|horizon|omni|renault (5|lecar)|chevette|liftback|hatchback|starlet|datsun (310|f-10|210)|spirit|champ|strada|lynx|escort|mustang ii|tercel|citation/,
  ],
] as const satisfies readonly (readonly [CarPicture['shape'], RegExp])[];

const paints = Object.keys(carPaints) as CarPaint[];

/** Length of a car by its body, compared with the largest one. */
const scales: Readonly<Record<CarPicture['shape'], number>> = {
  saloon: 0.97,
  estate: 0.98,
  coupe: 0.95,
  hatchback: 0.92,
  pickup: 1,
  beetle: 0.9,
};

/** Returns how a car looks: its body by its name, and a paint by its place in the stock. */
export function lookOf(name: string, index: number): Omit<CarPicture, 'scene'> {
  const shape = bodies.find(([, names]) => names.test(name))?.[0] ?? 'saloon';
  const paint = paints[(index * 5 + Math.floor(index / paints.length)) % paints.length] ?? 'white';
  return { shape, paint, scale: scales[shape] };
}

/** Returns the value of the attribute `bodyType` of a shape. */
export function bodyTypeOf(shape: CarPicture['shape']): Exclude<CarPicture['shape'], 'beetle'> {
  return shape === 'beetle' ? 'saloon' : shape;
}
