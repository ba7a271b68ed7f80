import type { ListingColumns, NumberName, TextName } from './ListingColumns.ts';
import type { AttributeCondition, IndexQuery } from './query.ts';
import type { RowCondition } from './RowCondition.ts';
import { toPlaceTests } from './toPlaceTests.ts';

/** Returns all conditions of a query except its words. */
export function toRowConditions(query: IndexQuery, columns: ListingColumns): RowCondition[] {
  const { categoryId, currency, dealerIds, publishedAfter, withImages, priceMin, priceMax } = query;
  const { publishedUntil, exceptSeller } = query;
  const after = publishedAfter ? publishedAfter.getTime() + 1 : null;
  return [
    ...oneOf('categoryId', categoryId === null ? [] : [categoryId], columns),
    ...oneOf('sellerId', dealerIds, columns),
    ...oneOf('condition', query.conditions, columns),
    ...oneOf('priceType', query.priceTypes, columns),
    ...oneOf('sellerType', query.sellerTypes, columns),
    ...oneOf('currency', currency === null ? [] : [currency], columns),
    ...between('price', priceMin, priceMax, columns),
    ...between('publishedAt', after, publishedUntil?.getTime() ?? null, columns),
    ...(exceptSeller === undefined ? [] : sellerOtherThan(exceptSeller, columns)),
    ...(typeof withImages !== 'boolean'
      ? []
      : between('hasImages', Number(withImages), Number(withImages), columns)),
    ...toPlaceTests(query, columns),
    ...query.attributes.flatMap((condition) => attributeTests(condition, columns)),
  ];
}

/** Returns the condition that a row has one of these values; no condition if the list is empty. */
export function oneOf(name: TextName, values: readonly string[], columns: ListingColumns): RowCondition[] {
  if (values.length === 0) return [];
  const column = columns.findText(name);
  if (!column) return [never(name)];
  const wanted = new Set(values);
  const allowed = column.allow((set) => set.some((value) => wanted.has(value)));
  return [{ kind: 'codes', member: name, codes: column.codes, allowed }];
}

function sellerOtherThan(sellerId: string, columns: ListingColumns): RowCondition[] {
  const column = columns.findText('sellerId');
  if (!column) return [];
  const allowed = column.allow((set) => !set.includes(sellerId));
  return [{ kind: 'codes', member: 'sellerId', codes: column.codes, allowed }];
}

function between(
  name: NumberName,
  min: number | null,
  max: number | null,
  columns: ListingColumns,
): RowCondition[] {
  if (min === null && max === null) return [];
  const column = columns.findNumber(name);
  if (!column) return [never(name)];
  const range = { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
  return [{ kind: 'range', member: name, values: column.values, ...range }];
}

function attributeTests(
  { name, values, all, min, max }: AttributeCondition,
  columns: ListingColumns,
): RowCondition[] {
  const member = `attributes.${name}` as const;
  const each = [...(values.length > 0 ? [values] : []), ...all.map((value) => [value])];
  return [...each.map((wanted) => equalTo(member, wanted, columns)), ...between(member, min, max, columns)];
}

/** Compares values by their text, because an attribute can hold numbers in one category and texts in another. */
function equalTo(
  member: `attributes.${string}`,
  texts: readonly string[],
  columns: ListingColumns,
): RowCondition {
  const [byText] = oneOf(member, texts, columns);
  const numbers = new Set(
    texts.map(Number).filter((value) => Number.isFinite(value) && texts.includes(String(value))),
  );
  const column = columns.findNumber(member);
  if (!column || numbers.size === 0) return byText ?? never(member);
  const { values } = column;
  const text = columns.findText(member);
  const allowed = byText?.kind === 'codes' ? byText.allowed : undefined;
  const isMatch = (row: number): boolean =>
    numbers.has(values[row] as number) ||
    (text && allowed ? allowed[text.codes[row] as number] === 1 : false);
  return { kind: 'rows', member, isMatch };
}

function never(member: string): RowCondition {
  return { kind: 'rows', member, isMatch: () => false };
}
