import sharp from 'sharp';
import { readCarListings } from '../carListings.ts';
import { lookOf } from './carLooks.ts';
import { type CarShapeName, carShapes } from './carShapes.ts';
import { carPaints, drawCar, pictureSize } from './drawCar.ts';
import { drawLogo } from './drawLogo.ts';

const shapes = Object.keys(carShapes) as CarShapeName[];

/** Renders a drawing, and returns its size and the mean of red, green and blue in a small area. */
async function render(drawing: string, area?: { left: number; top: number }) {
  const image = sharp(Buffer.from(drawing));
  const { width, height } = await image.metadata();
  const part = area ? image.extract({ ...area, width: 8, height: 8 }) : image;
  const { channels } = await sharp(await part.png().toBuffer()).stats();
  return { size: { width, height }, means: channels.slice(0, 3).map(({ mean }) => mean) };
}

test.each(shapes)('a %s is drawn in both scenes, and the two pictures differ', async (shape) => {
  const look = { shape, paint: 'red', scale: 0.9 } as const;
  const [studio, evening] = await Promise.all(
    (['studio', 'evening'] as const).map((scene) => render(drawCar({ ...look, scene }))),
  );
  expect(studio?.size).toEqual(pictureSize);
  expect(evening?.size).toEqual(pictureSize);
  expect(studio?.means).not.toEqual(evening?.means);
});

test('the door of a car has its paint', async () => {
  const doors = { left: 430, top: 405 };
  const meansOf = async (paint: keyof typeof carPaints) =>
    (await render(drawCar({ shape: 'saloon', paint, scale: 1, scene: 'studio' }), doors)).means;
  const [redOfRed = 0, greenOfRed = 0] = await meansOf('red');
  const [redOfGreen = 0, greenOfGreen = 0] = await meansOf('green');
  expect(redOfRed).toBeGreaterThan(greenOfRed + 40);
  expect(greenOfGreen).toBeGreaterThan(redOfGreen + 20);
});

test('logos of dealers are square and differ', async () => {
  const logos = await Promise.all(
    (['road', 'sun', 'mountains'] as const).map((one) => render(drawLogo(one))),
  );
  for (const { size } of logos) expect(size).toEqual({ width: 512, height: 512 });
  expect(new Set(logos.map(({ means }) => means.join())).size).toBe(3);
});

test.each([
  ['ford torino (sw)', 'estate'],
  ['volkswagen super beetle', 'beetle'],
  ['chevy s-10', 'pickup'],
  ["plymouth 'cuda 340", 'coupe'],
  ['honda civic cvcc', 'hatchback'],
  ['chevrolet caprice classic', 'saloon'],
])('the body of "%s" is drawn as %s', (name, shape) => {
  expect(lookOf(name, 0).shape).toBe(shape);
});

test('the cars of the demonstration have every body and every paint', () => {
  const looks = readCarListings().map(({ look }) => look);
  expect(new Set(looks.map(({ shape }) => shape))).toEqual(new Set(shapes));
  expect(new Set(looks.map(({ paint }) => paint))).toEqual(new Set(Object.keys(carPaints)));
});
