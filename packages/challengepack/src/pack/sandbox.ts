/** The sandbox that a pack requires. */
export interface SandboxPolicy {
  network_access?: boolean;
  /** CIDRs; absent or empty: every public address. */
  network_allowlist?: string[];
  env_vars?: Record<string, string>;
  additional_packages?: string[];
  sandbox_template_id?: string;
  /** `NAME@sha256:…`, in place of a template and packages. */
  image?: string;
  /** In place of an image: the path of an asset, from which one is built. */
  dockerfile?: string;
  /** Of the build beside it. */
  build_network_access?: boolean;
  /** Of the image beside it. */
  run_as_root?: boolean;
}

/**
 * The sandbox of one challenge or case, as far as it differs from the pack's and the runtime profile's. Sizes in MiB.
 */
export interface CaseSandbox {
  cpu?: number;
  memory_mb?: number;
  disk_mb?: number;
  /** In place of the pack's. */
  working_directory?: string;
  /** Added to those of the pack. */
  env_vars?: Record<string, string>;
  /** `false` takes the network of the pack away. */
  network_access?: boolean;
  /** `NAME@sha256:…`. */
  image?: string;
  /** In place of an image: the path of an asset, from which one is built. */
  dockerfile?: string;
  /** Of the build beside it. */
  build_network_access?: boolean;
  /** Of the image beside it. */
  run_as_root?: boolean;
}
