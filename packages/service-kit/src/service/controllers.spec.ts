import { describe, expect, test } from '@jest/globals';
import { Controller, forwardRef, Module } from '@nestjs/common';
import { controllersOf } from './controllers.js';

@Controller()
class Declared {}
@Controller()
class Given {}
@Controller()
class Shared {}
@Controller()
class Circular {}

@Module({ controllers: [Shared] })
class SharedModule {}
@Module({ controllers: [Circular], imports: [forwardRef(() => FeatureModule), SharedModule] })
class CircularModule {}
@Module({ controllers: [Declared], imports: [SharedModule, forwardRef(() => CircularModule)] })
class FeatureModule {}
class RootModule {}

describe('the controllers of a module', () => {
  test('the controllers of static, dynamic and circular imports are listed, each once', () => {
    const root = { module: RootModule, controllers: [Given], imports: [FeatureModule, SharedModule] };
    expect(
      controllersOf(root)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Circular', 'Declared', 'Given', 'Shared']);
  });
});
