/** A member that has a value, as in `category:cat_…`. */
export function equalToken(member: string, value: string): string {
  return `${member}:${value}`;
}

/** Two to an octave: what is asked for between two numbers is a handful of them. */
const perOctave = 2;
const lastBucket = bucketOf(Number.MAX_SAFE_INTEGER);

/** What a number is near to, as in `price EUR~41`. */
export function numberToken(member: string, value: number): string {
  return `${member}~${bucketOf(value)}`;
}

/** Tokens of all numbers from `min` to `max`; null is open. */
export function numberTokens(member: string, min: number | null, max: number | null): string[] {
  const first = min === null ? 0 : bucketOf(min);
  const last = max === null ? lastBucket : bucketOf(max);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `${member}~${first + index}`);
}

function bucketOf(value: number): number {
  return value < 1 ? 0 : 1 + Math.floor(Math.log2(value) * perOctave);
}

/** Degrees of a cell, the smallest first. */
const cellSizes = [1, 10] as const;

interface Place {
  lat: number;
  lng: number;
}

/** The cells that a place lies in, one of each size. */
export function cellTokens({ lat, lng }: Place): string[] {
  return cellSizes.map((size) => cell(size, Math.floor(lat / size), Math.floor(lng / size)));
}

/** WGS 84 degrees; `west` is greater than `east` where it crosses the antimeridian. */
interface Rectangle {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The cells of a rectangle: of the smallest size of which there are no more than `most`; none if there are more of all. */
export function rectangleTokens({ south, west, north, east }: Rectangle, most: number): string[] {
  for (const size of cellSizes) {
    const rows = range(Math.floor(south / size), Math.floor(north / size));
    const parts =
      west <= east
        ? [[west, east]]
        : [
            [west, 180],
            [-180, east],
          ];
    const columns = parts.flatMap(([from = 0, to = 0]) =>
      range(Math.floor(from / size), Math.floor(to / size)),
    );
    if (rows.length * columns.length <= most)
      return rows.flatMap((row) => columns.map((column) => cell(size, row, column)));
  }
  return [];
}

function cell(size: number, row: number, column: number): string {
  return `cell:${size}:${row}:${column}`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** A little less than it is, so that nothing at the edge is missed. */
const kmPerDegree = 110;

/** A rectangle that holds everything within so many kilometres; around the poles the whole circle of longitudes. */
export function around({ lat, lng, radiusKm }: Place & { radiusKm: number }): Rectangle {
  const up = radiusKm / kmPerDegree;
  const [south, north] = [Math.max(-90, lat - up), Math.min(90, lat + up)];
  const widest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const aside = widest < 0.01 ? 180 : up / widest;
  if (aside >= 180) return { south, north, west: -180, east: 180 };
  return { south, north, west: wrapped(lng - aside), east: wrapped(lng + aside) };
}

function wrapped(lng: number): number {
  return lng < -180 ? lng + 360 : lng > 180 ? lng - 360 : lng;
}
