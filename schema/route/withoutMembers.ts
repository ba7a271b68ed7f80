import type { FieldShape, SelectionShape } from './selectionShape.ts';

/** Returns the shape without the members at these paths, for responses that omit them. */
export function withoutMembers(shape: SelectionShape, paths: readonly (readonly string[])[]): SelectionShape {
  if (paths.length === 0) return shape;
  const isLeftOut = ({ key }: FieldShape) => paths.some((path) => path.length === 1 && path[0] === key);
  return {
    variants: shape.variants.map(({ type, fields }) => ({
      type,
      fields: fields.filter((field) => !isLeftOut(field)).map((field) => within(field, paths)),
    })),
  };
}

function within(field: FieldShape, paths: readonly (readonly string[])[]): FieldShape {
  const below = paths.filter(([first]) => first === field.key).map(([, ...rest]) => rest);
  return field.shape && below.length > 0 ? { ...field, shape: withoutMembers(field.shape, below) } : field;
}
