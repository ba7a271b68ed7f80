import { checks } from './checks/registry.ts';
import type { CheckGroup, JsonValue, Profile } from './contract.ts';
import { findLanguage, languagesWith } from './language/findLanguage.ts';
import type { CheckId, Ruleset } from './ruleset/Ruleset.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';

export interface CheckDefinition {
  id: CheckId;
  group: CheckGroup;
  title: string;
  description: string;
  /** Points in the requested profile, or the maximum of all profiles. */
  maxPoints: number;
  /** The numbers of the ruleset, `{}` for a check without any. */
  thresholds: JsonValue;
  /** Languages the check works in; null for all. */
  languages: string[] | null;
  profiles: Profile[];
}

function thresholdsOf(id: CheckId, ruleset: Ruleset): JsonValue {
  const thresholds: Partial<Record<CheckId, unknown>> = ruleset.thresholds;
  return structuredClone(thresholds[id] ?? {}) as JsonValue;
}

function languageCode(locale: string): string {
  return findLanguage(locale.trim().split(/[-_]/)[0]?.toLowerCase() ?? '').code;
}

/** Returns all checks, or those of a profile that the language data of a locale allows, in the order of the results. */
export function checkCatalogue(
  profile?: Profile | null,
  locale?: string | null,
  ruleset: Ruleset = ruleset2026,
): CheckDefinition[] {
  const language = locale?.trim() ? languageCode(locale) : null;
  return checks
    .map((check): CheckDefinition => {
      const points = ruleset.points[check.id];
      return {
        id: check.id,
        group: check.group,
        title: check.title,
        description: check.description,
        maxPoints: profile ? (points[profile] ?? 0) : Math.max(...Object.values(points)),
        thresholds: thresholdsOf(check.id, ruleset),
        languages: check.needs === null ? null : languagesWith(check.needs),
        profiles: Object.keys(points) as Profile[],
      };
    })
    .filter((definition) => !profile || definition.profiles.includes(profile))
    .filter(({ languages }) => language === null || languages === null || languages.includes(language));
}
