import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeResults, hasFailed, type Outcome, type ScenarioResult } from './parts/outcome.ts';
import { missingPackages } from './parts/programs.ts';
import { createWorld } from './parts/world.ts';
import { failover } from './scenarios/failover.ts';
import { pooler } from './scenarios/pooler.ts';
import { redis } from './scenarios/redis.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { standby } from './scenarios/standby.ts';
import { upgrade } from './scenarios/upgrade.ts';
import { wordpress } from './scenarios/wordpress.ts';

// `npm run chaos [-- failover pooler] [-- --keep]`: disturbs Gatehouse with real programs, and checks what it promises.

const scenarios: Readonly<Record<string, Scenario>> = {
  standby,
  failover,
  pooler,
  redis,
  upgrade,
  'rolling-restart': rollingRestart,
  wordpress,
};

const { values, positionals } = parseArgs({
  options: { keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(scenarios);
const unknown = names.find((name) => !(name in scenarios));
if (unknown !== undefined) {
  fail(`There is no scenario ${unknown}. Choose from: ${Object.keys(scenarios).join(', ')}.`);
}
const missing = missingPackages(names.flatMap((name) => scenarios[name]!.programs));
if (missing.length > 0) {
  fail(
    `These packages of Debian are missing: apt-get install ${missing.join(' ')} (as root, without starting them)`,
  );
}

// Builds the service if its sources have changed: it is disturbed as users run it.
const setUp = fileURLToPath(new URL('../scripts/node-path.mjs', import.meta.url));
execFileSync(process.execPath, [setUp], { stdio: ['ignore', 'ignore', 'inherit'] });

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));
}
const results: ScenarioResult[] = [];
for (const name of names) {
  if (stopping.signal.aborted) break;
  results.push(await runScenario(name, scenarios[name]!));
}
process.stdout.write(`\n${describeResults(results)}\n`);
process.exit(results.some(hasFailed) || stopping.signal.aborted ? 1 : 0);

async function runScenario(name: string, scenario: Scenario): Promise<ScenarioResult> {
  process.stderr.write(`${name}: ${scenario.title}\n`);
  const world = createWorld(name);
  let outcomes: readonly Outcome[] = [];
  let failure: string | undefined;
  try {
    outcomes = await Promise.race([scenario.run(world), end(scenario.maxMinutes)]);
  } catch (error) {
    failure = (error as Error).message;
    world.say(`it did not come to its end: ${(error as Error).stack}`);
  }
  if (values.keep) world.say(`the files are kept in ${world.folder}`);
  await world.end(values.keep);
  return { name, outcomes, failure };
}

/** Rejects after this time, or when the suite is stopped. */
function end(minutes: number): Promise<never> {
  return new Promise((_, reject) => {
    const late = new Error(`it took longer than ${minutes} minutes`);
    setTimeout(() => reject(late), minutes * 60_000).unref();
    stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason));
  });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
