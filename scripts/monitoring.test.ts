import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lacksPromtool, promtool } from '../server/test/promtool.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'docs/operations/monitoring');
const read = (...names: string[]) => readFileSync(path.join(root, ...names), 'utf8');
const dashboard = JSON.parse(readFileSync(path.join(folder, 'grafana-dashboard.json'), 'utf8'));
const isWithoutPromtool = lacksPromtool();

/** The metrics that the service has, by their names in its code. */
const metrics = new Set(
  globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...read(file).matchAll(/\(\s*'(gatehouse_[a-z0-9_]+)',/g)].map(([, name]) => name!),
  ),
);

const queries: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
  targets.map(({ expr }) => expr),
);

/** The metrics that a text names, without those of Node and of the process. */
function namedIn(text: string): string[] {
  const names = text.match(/\bgatehouse_[a-z0-9_]+/g) ?? [];
  return names.map((name) => (metrics.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')));
}

test('the guide lists every metric, and no other', () => {
  expect(metrics.size).toBeGreaterThan(30);
  const listed = [...read('docs/operations/monitoring.md').matchAll(/^\| `(gatehouse_\w+)` \|/gm)];
  expect(listed.map(([, name]) => name).sort()).toEqual([...metrics].sort());
});

test('the dashboard and the alert rules name only metrics that exist, and the dashboard nearly all', () => {
  const shown = namedIn(queries.join('\n'));
  const alerts = namedIn(read('docs/operations/monitoring/alerts.yml'));
  expect([...shown, ...alerts].filter((name) => !metrics.has(name))).toEqual([]);
  const missing = [...metrics].filter((name) => !shown.includes(name));
  expect(missing.sort()).toEqual(['gatehouse_thread_responses']);
});

test('the panels of the dashboard have different ids and do not overlap', () => {
  const places = dashboard.panels.map(
    ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`,
  );
  const ids = dashboard.panels.map(({ id }: { id: number }) => id);
  expect([new Set(places).size, new Set(ids).size]).toEqual([places.length, ids.length]);
});

/** What promtool says about rules, which are JSON here, and so YAML. */
function checkRules(rules: readonly object[]): string {
  const temporary = mkdtempSync(path.join(tmpdir(), 'gatehouse-rules-'));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const file = path.join(temporary, 'rules.yml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  return promtool(['check', 'rules', file]);
}

test.skipIf(isWithoutPromtool)('Prometheus can run every query of the dashboard', () => {
  const rules = queries.map((query, index) => ({
    record: `panel:${index}`,
    expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }));
  expect(rules.length).toBeGreaterThan(30);
  expect(checkRules(rules)).toBe('');
  expect(checkRules([{ record: 'broken', expr: 'sum(' }])).not.toBe('');
});

test.skipIf(isWithoutPromtool)('the alert rules are valid, and their tests pass', () => {
  expect(promtool(['check', 'rules', path.join(folder, 'alerts.yml')])).toBe('');
  expect(promtool(['test', 'rules', path.join(folder, 'alerts.test.yml')])).toBe('');
});

test('every alert rule is tested', () => {
  const named = (text: string) =>
    [...new Set([...text.matchAll(/alert(?:name)?: (\w+)/g)].map(([, name]) => name!))].sort();
  const rules = named(read('docs/operations/monitoring/alerts.yml'));
  expect(rules.length).toBeGreaterThan(10);
  expect(named(read('docs/operations/monitoring/alerts.test.yml'))).toEqual(rules);
});
