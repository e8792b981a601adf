import type { Language } from '../../../languages/language.ts';

export type CommandName = 'unblock' | 'block' | 'test' | 'add';
type Phrases = Readonly<Record<CommandName, readonly string[]>>;

/**
 * How operators type a command, each in the languages of the dashboard. All are understood whatever the language of the
 * dashboard is, because many know the English ones. Of those that match, the first counts.
 */
export const phrases: Readonly<Record<Language, Phrases>> = {
  en: {
    unblock: ['unblock {who}'],
    block: ['block {who}', 'suspend {who}'],
    test: ['test {path} as {who}', 'test {path} for {who}', 'can {who} open {path}', 'test {path}'],
    add: ['add {who} to {group}', 'add to {group}'],
  },
  de: {
    unblock: ['entsperre {who}', 'entsperren {who}', '{who} entsperren'],
    block: [
      'blockiere {who}',
      'blockieren {who}',
      'sperre {who}',
      'sperren {who}',
      '{who} sperren',
      '{who} blockieren',
    ],
    test: ['teste {path} als {who}', 'testen {path} als {who}', 'prüfe {path} als {who}', 'teste {path}'],
    add: [
      'füge {who} zu {group} hinzu',
      'füge {who} zu {group}',
      '{who} zu {group} hinzufügen',
      'zu {group} hinzufügen',
    ],
  },
  fr: {
    unblock: ['débloque {who}', 'débloquer {who}', 'débloquez {who}', 'debloquer {who}'],
    block: ['bloque {who}', 'bloquer {who}', 'bloquez {who}'],
    test: [
      'teste {path} comme {who}',
      'tester {path} comme {who}',
      'testez {path} comme {who}',
      'tester {path} en tant que {who}',
      'tester {path}',
    ],
    add: [
      'ajoute {who} à {group}',
      'ajouter {who} à {group}',
      'ajoutez {who} à {group}',
      'ajouter {who} a {group}',
      'ajouter à {group}',
    ],
  },
  es: {
    unblock: ['desbloquea a {who}', 'desbloquear a {who}', 'desbloquea {who}', 'desbloquear {who}'],
    block: ['bloquea a {who}', 'bloquear a {who}', 'bloquea {who}', 'bloquear {who}'],
    test: ['prueba {path} como {who}', 'probar {path} como {who}', 'prueba {path}', 'probar {path}'],
    add: [
      'añade a {who} a {group}',
      'añadir a {who} a {group}',
      'añade {who} a {group}',
      'añadir {who} a {group}',
      'añadir a {group}',
    ],
  },
  ja: {
    unblock: ['{who}のブロックを解除', '{who}のブロック解除', 'ブロック解除 {who}'],
    block: ['{who}をブロック', 'ブロック {who}', '{who} ブロック'],
    test: [
      '{path}を{who}としてテスト',
      '{who}として{path}をテスト',
      'テスト {path} {who}',
      '{path}をテスト',
      'テスト {path}',
    ],
    add: ['{who}を{group}に追加', '追加 {who} {group}', '{group}に追加'],
  },
};
