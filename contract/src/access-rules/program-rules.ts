import { fold, segmentsOf } from './path-segments.ts';
import type { RulePlace } from './rule-paths.ts';

/** The part of a rule that decides whether it may pass on paths as they are. */
export interface ProgramPlace extends RulePlace {
  readonly programPaths?: boolean;
}

/** A rule that passes on paths as they are, and another one for some of these paths. */
export interface ProgramConflict {
  /** The indexes of the two rules. */
  readonly program: number;
  readonly other: number;
}

/** A form of a name that is the same for all names that some program may take for it. */
export type NameForm = (name: string) => string;

/**
 * The first rule that passes on paths as they are although another rule is for some of these paths: for a path below it
 * at any host, or for only its page. At `/`, rules that only name other hosts do not count.
 * @param forms two paths are compared in each of them
 */
export function findProgramConflict(
  places: readonly ProgramPlace[],
  forms: readonly NameForm[] = [fold],
): ProgramConflict | undefined {
  const programs = [...places.keys()].filter((index) => places[index]!.programPaths === true);
  if (programs.length === 0) return undefined;
  for (const form of forms) {
    const byKey = Map.groupBy(programs, (index) => segmentsOf(places[index]!.path).map(form).join('/'));
    for (const [other, place] of places.entries()) {
      const program = programsAbove(byKey, segmentsOf(place.path).map(form)).find((index) =>
        isBelow(place, places[index]!),
      );
      if (program !== undefined) return { program, other };
    }
  }
  return undefined;
}

/** The indexes of the rules whose paths are the beginnings of a path, or the path itself. */
function programsAbove(byKey: ReadonlyMap<string, number[]>, names: readonly string[]): number[] {
  return [...Array(names.length + 1).keys()].flatMap(
    (length) => byKey.get(names.slice(0, length).join('/')) ?? [],
  );
}

function isBelow(place: ProgramPlace, program: ProgramPlace): boolean {
  const isDeeper = segmentsOf(place.path).length > segmentsOf(program.path).length;
  if (isDeeper) return program.path !== '/' || sharesHost(place, program);
  // A rule for some hosts replaces there the rule for all hosts that is only for the page.
  const isReplaced = program.hosts !== undefined && place.hosts === undefined;
  return (
    place.path === program.path && place.appliesTo === 'page' && !isReplaced && sharesHost(place, program)
  );
}

function sharesHost({ hosts }: RulePlace, other: RulePlace): boolean {
  if (hosts === undefined || other.hosts === undefined) return true;
  return hosts.some((host) => other.hosts!.includes(host));
}
