import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../server/test/free-port.ts';
import type { MariaDbServer } from './mariadb.ts';
import { pathOf } from './programs.ts';
import { until, type World } from './world.ts';

/** A page of WordPress at `/<name>/`, or below another one. */
export interface WordPressPage {
  readonly name: string;
  readonly parent?: string;
  /** Whether it is a post, which WordPress looks up in another way. */
  readonly isPost?: boolean;
  readonly text: string;
}

export interface WordPress {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
}

/**
 * Installs WordPress with some pages, whose permalinks are their names, and serves it.
 * @param home the address that visitors see
 */
export async function startWordPress(
  world: World,
  { port: databasePort }: MariaDbServer,
  home: string,
  pages: readonly WordPressPage[],
): Promise<WordPress> {
  const folder = path.join(world.folder, 'wordpress');
  const content = path.join(world.folder, 'content');
  // Without the settings of Debian, which are those of the whole machine.
  cpSync(pathOf('wordpress'), folder, {
    recursive: true,
    dereference: true,
    filter: (file) => !/\/wp-content\/|\/wp-config\.php$/.test(file),
  });
  mkdirSync(path.join(content, 'themes/plain'), { recursive: true });
  writeFileSync(path.join(content, 'themes/plain/style.css'), '/* Theme Name: Plain */');
  writeFileSync(path.join(content, 'themes/plain/index.php'), theme);
  writeFileSync(path.join(folder, 'wp-config.php'), settings(databasePort, home, content));
  writeFileSync(path.join(world.folder, 'install.php'), installation(folder, databasePort, pages));
  execFileSync(pathOf('php'), [path.join(world.folder, 'install.php')], { stdio: 'pipe' });
  writeFileSync(path.join(world.folder, 'router.php'), router);
  const port = await freePort();
  const args = ['-S', `127.0.0.1:${port}`, '-t', folder, path.join(world.folder, 'router.php')];
  const program = await world.processes.start('wordpress', pathOf('php'), args);
  await until('the start of WordPress', 20, () => program.output().includes('started'));
  return { address: `http://127.0.0.1:${port}` };
}

/** Shows pages and posts at their own address only: what their lists show is another matter. */
const theme = `<?php if (is_singular() && have_posts()) { while (have_posts()) { the_post(); the_title(); the_content(); } }
else { echo 'Nothing here.'; }`;

/** Files are served as they are, and every other path by WordPress. */
const router = `<?php
$file = $_SERVER['DOCUMENT_ROOT'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($file) && substr($file, -4) !== '.php') return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`;

function settings(port: number, home: string, content: string): string {
  return `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', '127.0.0.1:${port}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '${home}');
define('WP_SITEURL', '${home}');
define('WP_CONTENT_DIR', '${content}');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

function installation(folder: string, port: number, pages: readonly WordPressPage[]): string {
  const list = Buffer.from(JSON.stringify(pages)).toString('base64');
  return `<?php
define('WP_INSTALLING', true);
$database = new mysqli('127.0.0.1', 'root', '', '', ${port});
$database->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci');
require '${folder}/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Club', 'owner', 'owner@example.com', true, '', 'a long password');
update_option('template', 'plain');
update_option('stylesheet', 'plain');
update_option('permalink_structure', '/%postname%/');
$ids = [];
foreach (json_decode(base64_decode('${list}'), true) as $page) {
  $ids[$page['name']] = wp_insert_post([
    'post_type' => empty($page['isPost']) ? 'page' : 'post',
    'post_status' => 'publish',
    'post_title' => $page['name'],
    'post_name' => $page['name'],
    'post_content' => $page['text'],
    'post_parent' => isset($page['parent']) ? $ids[$page['parent']] : 0,
  ]);
}
`;
}
