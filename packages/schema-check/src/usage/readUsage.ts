import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fetchText } from '../fetchText.ts';
import { UsageError } from '../UsageError.ts';
import type { OperationUse, RecordedUsage, UsageRules } from './Usage.ts';

const dayMs = 86_400_000;

/** Location of a usage file, and how its content is judged. */
export interface UsageSource {
  /** File or URL. */
  readonly source: string;
  /** Folder that the path of a file is relative to. */
  readonly directory: string;
  readonly rules: UsageRules;
  /** Milliseconds since 1970; the window ends here. */
  readonly nowMs: number;
}

/**
 * Reads recorded usage from a file or URL. Each line is a JSON object: an operation (`{"operation", "coordinates"}`), or
 * its executions by a client on a day (`{"day", "client", "operation", "count", "lastUsedAt"}`, optionally
 * `"clientName"`).
 *
 * @throws UsageError if the source cannot be read or a line is invalid
 */
export async function readUsage({ source, directory, rules, nowMs }: UsageSource): Promise<RecordedUsage> {
  return parseUsage(await readText(source, directory), source, { rules, nowMs });
}

async function readText(source: string, directory: string): Promise<string> {
  if (/^https?:/.test(source)) {
    const text = await fetchText(new URL(source));
    if (text === null) throw new UsageError(`${source} does not exist (404).`);
    return text;
  }
  try {
    return readFileSync(path.resolve(directory, source), 'utf8');
  } catch (error) {
    throw new UsageError(`${source} cannot be read. Export the usage ledger, or correct "usage".`, {
      cause: error,
    });
  }
}

/** Executions of an operation by a client on a day. */
interface CountLine extends OperationUse {
  readonly day: string;
  readonly clientName?: string | null;
  readonly operation: string;
}

interface OperationLine {
  readonly operation: string;
  readonly coordinates: readonly string[];
}

/**
 * Parses recorded usage and adds up what is within the window.
 *
 * @throws UsageError if a line is invalid
 */
export function parseUsage(
  text: string,
  name: string,
  { rules, nowMs }: Pick<UsageSource, 'rules' | 'nowMs'>,
): RecordedUsage {
  const coordinates = new Map<string, Set<string>>();
  const uses = new Map<string, Map<string, OperationUse>>();
  const days = new Set<string>();
  const firstDay = new Date(nowMs - rules.windowDays * dayMs).toISOString().slice(0, 10);
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = parseLine(line, `${name}, line ${index + 1}`);
    if ('coordinates' in entry) {
      const known = coordinates.get(entry.operation) ?? new Set();
      for (const coordinate of entry.coordinates) known.add(coordinate);
      coordinates.set(entry.operation, known);
      continue;
    }
    if (entry.day < firstDay) continue;
    days.add(entry.day);
    if (!isExcluded(entry, rules)) addUse(uses, entry);
  }
  return {
    rules,
    recordedDays: days.size,
    operations: [...uses].map(([operation, byClient]) => ({
      operation,
      coordinates: [...(coordinates.get(operation) ?? [])],
      uses: [...byClient.values()],
    })),
  };
}

function isExcluded({ client, clientName }: CountLine, { excludeClients }: UsageRules): boolean {
  return [client, clientName].some((name) => typeof name === 'string' && excludeClients.includes(name));
}

function addUse(
  uses: Map<string, Map<string, OperationUse>>,
  { operation, client: id, clientName, count, lastUsedAt }: CountLine,
): void {
  const byClient = uses.get(operation) ?? new Map<string, OperationUse>();
  uses.set(operation, byClient);
  const known = byClient.get(id);
  byClient.set(id, {
    client: clientName ?? id,
    count: count + (known?.count ?? 0),
    lastUsedAt: known && known.lastUsedAt > lastUsedAt ? known.lastUsedAt : lastUsedAt,
  });
}

function parseLine(line: string, place: string): CountLine | OperationLine {
  try {
    const entry = JSON.parse(line) as Partial<CountLine> | OperationLine;
    if (isOperation(entry) || isCount(entry)) return entry;
  } catch {
    // Reported below, like a line with other members.
  }
  throw new UsageError(
    `${place} is not an entry of a usage ledger; each line must be {"operation", "coordinates"} or {"day", "client", "operation", "count", "lastUsedAt"}.`,
  );
}

function isOperation(entry: Partial<CountLine> | OperationLine): entry is OperationLine {
  return typeof entry.operation === 'string' && 'coordinates' in entry && Array.isArray(entry.coordinates);
}

function isCount(entry: Partial<CountLine>): entry is CountLine {
  const { day, client, operation, count, lastUsedAt } = entry;
  return (
    [client, operation, lastUsedAt].every((text) => typeof text === 'string') &&
    typeof count === 'number' &&
    typeof day === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(day)
  );
}
