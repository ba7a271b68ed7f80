import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Findings of Spectral's recommended rules: errors, warnings and hints. */
export async function lintBySpectral(contract: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']], rules: {} });
  const findings = await linter.run(contract as Record<string, unknown>);
  return findings.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`);
}

/** Findings of Redocly's recommended rules: errors and warnings. */
export async function lintByRedocly(contract: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(contract);
  const findings = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return findings.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}
