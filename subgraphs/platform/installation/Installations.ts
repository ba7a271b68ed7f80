import { Schema } from 'mongoose';
import { defineModel } from '../mongo/defineModel.ts';
import { defaultSettings, type Installation, type InstallationSettings } from './Installation.ts';
import { readInTurn } from './readInTurn.ts';

/** An installation as it is stored. */
export interface InstallationRecord extends Omit<Installation, 'id' | 'settings'> {
  _id: string;
  settings: Partial<InstallationSettings>;
  /** Incremented by every change that may remove an administrator, so that two such changes conflict. */
  administratorChanges?: number;
  createdAt: Date;
}

/** Global collection: the installations of this deployment. */
export const InstallationModel = defineModel<InstallationRecord>(
  'installations',
  new Schema<InstallationRecord>({
    _id: String,
    name: { type: String, required: true },
    hosts: { type: [String], required: true },
    baseUrl: { type: String, required: true },
    defaultCurrency: { type: String, required: true },
    locales: { type: [String], required: true },
    settings: { type: Schema.Types.Mixed, default: {} },
    administratorChanges: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  }).index({ hosts: 1 }, { unique: true }),
);

/** The deployment's installations, held in memory: a request never waits for the database to learn its tenant. */
export interface Installations {
  /** Returns the installation of a host name without port, in lower case; null if there is none. */
  findByHost(host: string): Installation | null;
  findById(id: string): Installation | null;
  readonly all: readonly Installation[];
  /** Reads the collection again. */
  refresh(): Promise<void>;
  close(): void;
}

/** Options for loading installations. */
export interface InstallationOptions {
  /** A single-tenant deployment: every request belongs to this installation. */
  fixedId?: string | undefined;
  /** Age at which the set is read again, in milliseconds. */
  maxAgeMs?: number;
}

const plainHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Loads the installations and keeps them up to date. `localhost` is an alias of `demo.localhost`, so that the
 * demonstration works without a hosts file.
 */
export async function openInstallations({
  fixedId,
  maxAgeMs = 5000,
}: InstallationOptions = {}): Promise<Installations> {
  let all: Installation[] = [];
  let byHost = new Map<string, Installation>();
  let byId = new Map<string, Installation>();
  const refresh = readInTurn(
    () => InstallationModel.find({}).sort({ _id: 1 }).lean<InstallationRecord[]>().exec(),
    (records) => {
      all = records.map(toInstallation);
      byId = new Map(all.map((installation) => [installation.id, installation]));
      byHost = new Map(all.flatMap((installation) => installation.hosts.map((host) => [host, installation])));
    },
  );
  await refresh();
  const timer = setInterval(() => refresh().catch(() => undefined), maxAgeMs).unref();
  return {
    findByHost(host) {
      if (fixedId !== undefined) return byId.get(fixedId) ?? null;
      return byHost.get(host) ?? (plainHosts.has(host) ? (byHost.get('demo.localhost') ?? null) : null);
    },
    findById: (id) => byId.get(id) ?? null,
    get all() {
      return all;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

/** Converts a stored installation, with default values for omitted settings. */
export function toInstallation({ _id, settings, ...record }: InstallationRecord): Installation {
  return {
    id: _id,
    name: record.name,
    hosts: record.hosts,
    baseUrl: record.baseUrl,
    defaultCurrency: record.defaultCurrency,
    locales: record.locales,
    settings: { ...defaultSettings, ...settings },
  };
}
