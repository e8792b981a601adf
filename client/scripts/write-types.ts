// Writes src/types.ts with every type of the contract resolved, and with the contract's descriptions as comments.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, type Project, SymbolFlags, type Type } from 'typescript/unstable/sync';
import { type Schema, schemaOf } from './schemas.ts';
import { writeDeclarations } from './type-writer.ts';

const client = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(client, 'src/types.ts');

const config = {
  extends: path.join(client, '../tsconfig.json'),
  // Whoever uses the package may have set this either way, so what may be left out is written as possibly undefined too.
  compilerOptions: { exactOptionalPropertyTypes: false },
  include: [],
};

/** @throws Error when a type that was written is not the one of the source */
export function writeTypes(target: string): void {
  const temporary = mkdtempSync(path.join(client, 'dist/.types-'));
  const api = new API({ cwd: client });
  const openProject = (name: string, files: string[]): Project => {
    const file = path.join(temporary, `${name}.json`);
    writeFileSync(file, JSON.stringify({ ...config, files }));
    return api.updateSnapshot({ openProjects: [file] }).getProject(file)!;
  };
  try {
    const project = openProject('source', [source]);
    writeFileSync(target, writeDeclarations(project.checker, [...read(project, source).values()]));
    compare(openProject('both', [source, target]), target);
  } finally {
    api.close();
    rmSync(temporary, { recursive: true });
  }
}

interface Declared {
  readonly name: string;
  readonly type: Type;
  readonly comment: string;
  readonly schema: Schema | undefined;
}

/** The types that a file exports for others than the client itself, by name. */
function read({ program, checker }: Project, file: string): Map<string, Declared> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  const types = new Map<string, Declared>();
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (checker.getJsDocTagsOfSymbol(symbol).some((tag) => tag.name === 'internal')) continue;
    const { name } = exported;
    types.set(name, {
      name,
      type: checker.getDeclaredTypeOfSymbol(symbol),
      comment: checker.getDocumentationCommentOfSymbol(symbol),
      schema: schemaOf(name),
    });
  }
  return types;
}

function compare(project: Project, target: string): void {
  const { checker } = project;
  const written = read(project, target);
  for (const [name, { type }] of read(project, source)) {
    const copy = written.get(name)!.type;
    if (!checker.isTypeAssignableTo(type, copy) || !checker.isTypeAssignableTo(copy, type)) {
      throw new Error(`The type ${name} was not written as it is.`);
    }
  }
}
