import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** Texts by language tag; `und` is the same in every language. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Schema of an attribute: a subset of JSON Schema 2020-12 with further keywords. `unit`, `readerUnit` and
 * `valueLabels` are shown to users; `private` excludes it from the public view; a change of an `identifying` attribute
 * is a material change.
 */
export interface AttributeSchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  description?: string;
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  items?: { type: 'string'; enum: string[] };
  uniqueItems?: true;
  maxItems?: number;
  unit?: string;
  /** Unit in which readers expect the number: the stored number is multiplied by `factor`. */
  readerUnit?: { factor: number; names: Labels };
  /** Labels of stored values. */
  valueLabels?: Readonly<Record<string, Labels>>;
  private?: true;
  identifying?: true;
}

/** The attributes of a category. Attributes that it does not name are refused. */
export interface CategorySchema {
  type: 'object';
  /** Type of the offered products in terms of schema.org. */
  productType?: 'Car' | 'Motorcycle' | 'Vehicle';
  properties: Record<string, AttributeSchema>;
  /** Needed for publication; a draft may be incomplete. */
  required: string[];
  additionalProperties: false;
}

export interface CategoryRecord {
  _id: string;
  installationId: string;
  slug: string;
  parentId: string | null;
  /** Ancestors from the root. A search in one of them finds this category's listings. */
  ancestorIds: string[];
  /** Names by language tag. */
  names: Record<string, string>;
  position: number;
  /** Whether it is a leaf. Only leaves contain listings. */
  leaf: boolean;
  attributeSchema: CategorySchema | null;
  createdAt: Date;
  updatedAt: Date;
}

export const CategoryModel = defineModel<CategoryRecord>(
  'categories',
  new Schema<CategoryRecord>({
    _id: String,
    slug: { type: String, required: true },
    parentId: { type: String, default: null },
    ancestorIds: { type: [String], required: true },
    names: { type: Schema.Types.Mixed, required: true },
    position: { type: Number, required: true },
    leaf: { type: Boolean, required: true },
    attributeSchema: { type: Schema.Types.Mixed, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, slug: 1 }, { unique: true })
    .index({ installationId: 1, parentId: 1, position: 1, _id: 1 }),
);
