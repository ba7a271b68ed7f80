import type { AttributeDisplay } from '../../../platform/federation/askOwner.ts';
import type { Attributes } from './checkAttributes.ts';
import type { AttributeSchema, CategorySchema } from './model.ts';

/** Returns how readers see these attributes: units, and the labels of their values. Attributes with neither are omitted. */
export function displayOf(
  schema: CategorySchema | null,
  attributes: Attributes,
): Record<string, AttributeDisplay> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const property = schema?.properties[name];
      const display = property && toDisplay(property, String(value));
      return display && Object.keys(display).length > 0 ? [[name, display]] : [];
    }),
  );
}

function toDisplay({ unit, readerUnit, valueLabels }: AttributeSchema, value: string): AttributeDisplay {
  const labels = valueLabels?.[value];
  return {
    ...(unit !== undefined && { unit }),
    ...(readerUnit && { readerUnit }),
    // Without a label the value is not shown: it is a stored value, and no text.
    ...(valueLabels && { valueLabels: labels ? { [value]: labels } : {} }),
  };
}
