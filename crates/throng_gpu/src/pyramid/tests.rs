//! If one of these fails, something visible is taken for hidden.

use super::cpu::pyramid;
use super::{Pyramid, levels, texels};
use crate::Pool;
use crate::testing::{gpu, run, words};

fn image(width: u32, height: u32) -> Vec<f32> {
    let words = words((width * height) as usize, u64::from(width) << 32 | u64::from(height));
    words.into_iter().map(f32::from_bits).collect()
}

#[test]
fn levels_are_those_of_the_cpu() {
    let pool = Pool::new(gpu());
    let kernel = Pyramid::new(gpu()).unwrap();
    let sizes = [
        [1, 1],
        [1, 2],
        [3, 1],
        [1, 999],
        [777, 1],
        [5, 7],
        [64, 64],
        [127, 129],
        [255, 257],
        [1366, 768],
        [1920, 1080],
        [3163, 3163],
    ];
    for [width, height] in sizes {
        let image = image(width, height);
        let given = pool.array_of("image", &image).unwrap();
        let all = texels(width, height) as usize;
        let output = pool.array_of("pyramid", &vec![[7.0_f32; 2]; all + 1]).unwrap();
        run(&kernel.bind(&pool, &given, [width, height], &output).unwrap());
        let got = gpu().read::<[u32; 2]>(&output, all + 1).unwrap();
        let expected: Vec<[u32; 2]> =
            pyramid(&image, width, height).iter().map(|texel| texel.map(f32::to_bits)).collect();
        assert!(got[..all] == expected, "{width} × {height}");
        assert_eq!(got[all], [7.0_f32.to_bits(); 2]);
    }
}

/// The property that culling rests on, of the twin and so of both.
#[test]
fn the_last_level_bounds_the_image() {
    for [width, height] in [[1, 2], [5, 7], [33, 2], [100, 63], [255, 129]] {
        let image = image(width, height);
        let all = pyramid(&image, width, height);
        let last = levels(width, height)[levels(width, height).len() - 1];
        let [least, greatest] = all[last.at as usize];
        let mut numbers = image.iter().filter(|x| !x.is_nan());
        assert!(numbers.all(|&x| least <= x && x <= greatest), "{width} × {height}");
    }
}
