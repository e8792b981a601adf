import type { Command } from 'commander';
import { newSecretKey } from '../../base/encryption/secret-box.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';

export function addSecretKeyCommand(program: Command): void {
  addCommand(program, 'secret-key', 'print a new key for GATEHOUSE_SECRET_KEY, without setting it', [
    'secret-key',
  ]).action(({ json }: CommonOptions) => {
    const secretKey = newSecretKey();
    print(json, { secretKey }, secretKey);
  });
}
